"""Training of the default extractor: labeled pages in, a model out.

dataset      labeled pages            augment     variants of pages
dictionary   scores and weights of class names
boosting     LightGBM, flattened      train       cross-fitted training of all parts
card         held-out scores and the model card
"""

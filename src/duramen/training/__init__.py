"""Training: labelled pages in, a model file out."""

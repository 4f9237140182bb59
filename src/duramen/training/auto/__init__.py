"""Training the default extractor: labelled pages in, the model of `methods.auto` out.

    pages ── labels ── variants ── names ── trees ── model

`learning.learn` puts the steps together.
"""

"""The default extractor.

    Tree ── blocks ── features ── forest ── context features ── second forest ── threshold ── postprocess ── spans

`method` runs the steps, and `duramen.training.auto` trains the model that they read.
"""

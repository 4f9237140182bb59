"""The parts of the default extractor: blocks, what is known of them, and the choice among them.

    Tree ── blocks ── features ── local classifier ── context ── expert ── cut-off ── spans

`methods.auto` puts them together, and `training.auto` makes the model that they read.
"""

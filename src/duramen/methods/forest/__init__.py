"""FOREST and its baselines, as methods for pages of one site.

Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012. The wrapper induction
itself is in `duramen.wrappers`.
"""

"""Measures of how well an extraction agrees with the reference text, each as its paper defines it.

Those of texts use words as `duramen.language.words` finds them, so that whitespace, case and punctuation do not matter;
those of Markdown compare the characters of normalized parts. All are pure functions. What they need of the reference
alone (counts, n-grams) is an argument, so that it is computed once for a page and not once for every extractor.
"""

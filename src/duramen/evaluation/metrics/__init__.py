"""How well an extraction agrees with the gold: one measure a file, each as its paper defines it.

All of them read words as `duramen.language.words` finds them, so that whitespace, case and punctuation, which every
extractor handles in its own way, decide nothing. All are pure functions; what they need of the gold alone (its counts,
its n-grams) is an argument, so that it is made once for a page and not once for every extractor.
"""

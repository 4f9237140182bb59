"""Models: what was learnt, as data. Arrays and a card in one file, never code."""

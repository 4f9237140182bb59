"""A page as a structure: bytes to text, text to a tree, and the questions that all methods ask of a tree."""

"""Maximum subsequence segmentation and its variants.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009.
"""

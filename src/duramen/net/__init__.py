"""Download pages: one URL, the rules of HTTP that all downloads share, and the networks they may not reach."""

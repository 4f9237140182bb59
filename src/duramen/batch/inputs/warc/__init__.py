"""Input: WARC files. Reading, splitting, and salvage of damaged files."""

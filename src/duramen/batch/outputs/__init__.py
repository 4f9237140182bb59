"""Output of a run: the formats of rows, the paths, finished shards, and one text file per page."""

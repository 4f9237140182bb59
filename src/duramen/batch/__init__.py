"""A crawl in, a corpus out: sources, rows, sinks and the run."""

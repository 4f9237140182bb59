"""Worker processes: one pool for the splits of a run, and a fault-tolerant map for other tasks."""

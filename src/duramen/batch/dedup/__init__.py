"""Duplicate rows: fingerprints of texts, clusters of equal or similar texts, and marks in the shards."""

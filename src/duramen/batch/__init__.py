"""Extraction of many pages: inputs, worker processes, rows, outputs, and crash-safe runs."""

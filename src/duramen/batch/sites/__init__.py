"""Wrappers for the sites of a run: learning them before the first row, and choosing them for each page."""

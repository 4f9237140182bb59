"""Models of the sites of a run: learning them before the first row, and using them for each page."""

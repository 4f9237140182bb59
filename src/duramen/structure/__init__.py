"""Find the parts of a page that are written as one unit: formulas, code, notes, callouts."""

"""Structures that pages express in many ways: formulas, found in the tree before the output is written."""

"""Pages and trees: decode bytes, parse HTML, and read a tree as parallel arrays."""

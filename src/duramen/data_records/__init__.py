"""The records of a page: which element holds the main list, what its records are, and the table they make."""

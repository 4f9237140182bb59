"""Tables of a run: the records of all pages, in one table for each template of a site."""

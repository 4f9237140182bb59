"""Methods that find the main data region of a page: the element that holds its list of records."""

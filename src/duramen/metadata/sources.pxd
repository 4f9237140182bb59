cdef Py_ssize_t _MOST_HEADINGS, _LONGEST_HEADING

cdef object _heading(str text, str tag, object node)

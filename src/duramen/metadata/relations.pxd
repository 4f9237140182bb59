cdef frozenset _FOR_BROWSERS
cdef Py_ssize_t _LONGEST

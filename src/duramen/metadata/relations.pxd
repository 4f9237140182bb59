cdef frozenset _FOR_BROWSERS
cdef tuple _REL
cdef Py_ssize_t _LONGEST

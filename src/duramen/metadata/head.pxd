cimport cython

cdef frozenset _RELATIONS, _FOR_BROWSERS
cdef str _OPENINGS
cdef Py_ssize_t _MARGIN, _MOST

cdef bint _opens(str text) except -1

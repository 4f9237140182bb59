cimport cython

cdef frozenset _CUT

cdef object _add_title(dict merged, str value, str sign, str source, object node)

cdef set _slug(str path)

cdef double _shared(set one, set other) except -1

cdef str _length(Py_ssize_t words)

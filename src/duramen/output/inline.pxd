cimport cython

cdef bint _COMPILED

@cython.locals(is_blank=cython.bint, character=cython.Py_UCS4, code=cython.Py_ssize_t)
cdef bint _is_collapsed(str text) except -1

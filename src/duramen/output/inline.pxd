cimport cython

cdef bint _COMPILED

@cython.locals(
    start=cython.Py_ssize_t, stop=cython.Py_ssize_t, at=cython.Py_ssize_t, is_blank=cython.bint, is_rough=cython.bint,
    character=cython.Py_UCS4, code=cython.Py_ssize_t,
)
cdef str _trimmed(str text)

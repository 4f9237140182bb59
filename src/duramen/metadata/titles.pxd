cimport cython

@cython.locals(
    found=list, first=cython.Py_ssize_t, seen=cython.Py_ssize_t, start=cython.Py_ssize_t, at=cython.Py_ssize_t
)
cdef list _parts(str title)

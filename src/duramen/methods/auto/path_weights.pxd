cimport cython

cdef double SCALE

@cython.locals(
    size=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t, number=cython.Py_ssize_t,
    place=cython.Py_ssize_t, total=cython.double, word=cython.Py_ssize_t,
)
cdef object _weigh(
    double[::1] found, long long[::1] parent, long long[::1] tag, long long[::1] which, long long[::1] ends, long long[::1] words,
    long long[::1] weights, int[::1] borne, long long[::1] way,
)

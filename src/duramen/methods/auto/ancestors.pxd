cimport cython

@cython.locals(steps=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t)
cdef object _meet(
    const long long[::1] parent, Py_ssize_t other, long long[::1] place, long long[::1] up, long long[::1] down,
)

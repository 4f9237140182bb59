cimport cython

cdef bint _COMPILED

@cython.locals(row=cython.Py_ssize_t, at=cython.Py_ssize_t, total=cython.double, tree=cython.Py_ssize_t, node=cython.int)
cdef object _add(
    const double[::1] rows, Py_ssize_t width, const int[::1] root, const int[::1] feature, const double[::1] threshold,
    const int[::1] left, const int[::1] right, const double[::1] value, double[::1] out,
)

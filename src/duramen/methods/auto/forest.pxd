cimport cython

@cython.locals(
    tree=cython.int, place=cython.Py_ssize_t, row=cython.Py_ssize_t, node=cython.int, _=cython.Py_ssize_t,
)
cdef object _add_leaves(
    const double[::1] values, Py_ssize_t row_count, const long long[::1] rows, const int[::1] feature,
    const double[::1] threshold, const int[::1] child, const double[::1] leaf, int trees, Py_ssize_t steps,
    double[::1] scores,
)

cimport cython

@cython.locals(tree=cython.int, place=cython.Py_ssize_t, node=cython.int, _=cython.int)
cdef object _add_leaves(
    const double[::1] values, Py_ssize_t row_count, const long long[::1] rows, const int[::1] feature,
    const double[::1] threshold, const int[::1] child, const double[::1] leaf, const int[::1] steps, int[::1] nodes,
    double[::1] scores,
)

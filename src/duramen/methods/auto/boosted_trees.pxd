cimport cython

@cython.locals(
    tree=cython.Py_ssize_t, row=cython.Py_ssize_t, line=cython.Py_ssize_t, limit=cython.double, left=cython.uint,
    node=cython.uint, part=cython.Py_ssize_t, _=cython.int,
)
cdef object _add_leaves(
    const double[::1] values, const unsigned int[::1] lines, const double[::1] threshold, const unsigned int[::1] child,
    const double[::1] leaf, const int[::1] steps, const int[::1] parts, unsigned int[::1] nodes, double[:, ::1] scores,
)

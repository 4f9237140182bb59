cimport cython

cdef bint _COMPILED
cdef Py_ssize_t _BOUND, _STEPS, _TOGETHER

@cython.locals(
    count=cython.Py_ssize_t, start=cython.Py_ssize_t, stop=cython.Py_ssize_t, place=cython.Py_ssize_t, at=cython.Py_ssize_t, beside=cython.Py_ssize_t,
    further=cython.Py_ssize_t, last=cython.Py_ssize_t, tree=cython.Py_ssize_t, first=cython.Py_ssize_t,
    second=cython.Py_ssize_t, third=cython.Py_ssize_t, fourth=cython.Py_ssize_t, _=cython.Py_ssize_t,
)
cdef object _add(
    const double[::1] rows, Py_ssize_t width, const long long[::1] places, const int[::1] root, const int[::1] feature,
    const double[::1] threshold, const int[::1] child, const double[::1] value, Py_ssize_t steps, double[::1] out,
)

@cython.locals(last=cython.Py_ssize_t, place=cython.Py_ssize_t, step=cython.double, whole=cython.Py_ssize_t)
cdef object _squash(const double[::1] scores, const double[::1] table, double[::1] found)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, low=cython.Py_ssize_t, middle=cython.Py_ssize_t, high=cython.Py_ssize_t,
    is_other=cython.bint, left=cython.Py_ssize_t, right=cython.Py_ssize_t, place=cython.Py_ssize_t,
)
cdef bint _merge(const double[::1] keys, long long[::1] order, long long[::1] other) except -1

@cython.locals(
    count=cython.Py_ssize_t, tree=cython.Py_ssize_t, first=cython.Py_ssize_t, second=cython.Py_ssize_t,
    third=cython.Py_ssize_t, fourth=cython.Py_ssize_t, _=cython.Py_ssize_t,
)
cdef object _leaves(
    const double[::1] row, const int[::1] root, const int[::1] feature, const double[::1] threshold, const int[::1] child,
    const double[::1] value, Py_ssize_t steps, double[::1] values,
)

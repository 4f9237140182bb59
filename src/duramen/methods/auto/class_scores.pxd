cimport cython

@cython.locals(
    depth=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t, left=cython.Py_ssize_t,
    place=cython.Py_ssize_t, total=cython.double, word=cython.Py_ssize_t,
)
cdef object _sum_path_weights(
    double[::1] sums, const long long[::1] parent, const long long[::1] tags, const long long[::1] combination,
    const long long[::1] word_ends, const long long[::1] words, const long long[::1] weights, double scale,
    long long[::1] counts,    long long[::1] path,
)

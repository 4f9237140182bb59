cimport cython

@cython.locals(
    references=cython.Py_ssize_t, most=cython.double, scale=cython.double, candidates=cython.Py_ssize_t, counts=cython.Py_ssize_t,
    block=cython.Py_ssize_t, best=cython.double, kept_words=cython.double, best_count=cython.Py_ssize_t,
    runs=cython.Py_ssize_t, count=cython.Py_ssize_t, cost=cython.double, f1_sum=cython.double,
    reference=cython.Py_ssize_t, precision_sum=cython.double, recall_sum=cython.double,
)
cdef double _cut(
    const double[::1] words, const double[::1] p, const long long[::1] order, const long long[::1] cluster,
    double run_penalty, double[::1] reference_words, double[::1] common_words, unsigned char[::1] kept,
    double[:, ::1] scores,
) except? -1.0

@cython.locals(
    references=cython.Py_ssize_t, step=cython.Py_ssize_t, level=cython.Py_ssize_t, height=cython.double,
    reference=cython.Py_ssize_t,
)
cdef object _add_words(double[::1] sums, double words, double p, Py_ssize_t cluster)

cimport cython

# Places in the row of a page; a line of the matrix.
cdef Py_ssize_t _EXPECTED_F1, _KEPT_SHARE, _KEPT_MEAN_WORDS, _EXPECTED_SHARE, _VARIANCE, _DENSITY, _RUNS, _WORDS_BEFORE
cdef Py_ssize_t _WORDS_AFTER, _SHORT_PARAGRAPHS, _MEDIUM_PARAGRAPHS, _LONG_PARAGRAPHS, _KEPT, _DROPPED, _EXPECTED
cdef Py_ssize_t _LINKS

@cython.locals(
    total=cython.double, kept_words=cython.double, expected_words=cython.double, variance=cython.double,
    before=cython.double, after=cython.double, short=cython.double, medium=cython.double, long=cython.double,
    kept_count=cython.Py_ssize_t, runs=cython.Py_ssize_t, block=cython.Py_ssize_t, size=cython.double,
    plain=cython.double,
)
cdef object _summarize(
    double[::1] row, const double[:, ::1] matrix, const double[::1] words, const double[::1] p,
    const unsigned char[::1] kept, double expected_f1,
)

@cython.locals(
    count=cython.Py_ssize_t, place=cython.Py_ssize_t, line=cython.Py_ssize_t, kept_words=cython.double,
    kept_sum=cython.double, dropped_words=cython.double, dropped_sum=cython.double, block=cython.Py_ssize_t,
)
cdef object _contrast(
    double[::1] row, const double[:, ::1] matrix, const long long[::1] lines, const double[::1] words,
    const unsigned char[::1] kept,
)

@cython.locals(
    weight=cython.double, place=cython.Py_ssize_t, line=cython.Py_ssize_t, total=cython.double,
)
cdef object _average_expected(
    double[::1] row, const double[:, ::1] matrix, const long long[::1] candidates, const double[::1] expected,
)

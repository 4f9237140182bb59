cimport cython

cdef Py_ssize_t CIRCLES
cdef double MANY

@cython.locals(core=cython.Py_ssize_t, most=cython.double, block=cython.Py_ssize_t, expected=cython.double)
cdef Py_ssize_t _core(const double[::1] p, const double[::1] words) except -2

@cython.locals(
    count=cython.Py_ssize_t, sum_words=cython.double[::1], sums=cython.double[::1], kind_words=cython.double[::1], kind_sums=cython.double[::1],
    best=cython.double, run=cython.double, run_start=cython.Py_ssize_t, best_start=cython.Py_ssize_t,
    best_stop=cython.Py_ssize_t, most=cython.double, block=cython.Py_ssize_t, size=cython.double,
    expected=cython.double, kind=cython.Py_ssize_t, total=cython.double, all_words=cython.double, in_run=cython.double,
    share=cython.double, row=cython.Py_ssize_t, circle=cython.Py_ssize_t, number=cython.Py_ssize_t, low=cython.Py_ssize_t,
    high=cython.Py_ssize_t, reach=cython.Py_ssize_t, place=cython.Py_ssize_t, taken=cython.double, highest=cython.double,
    other=cython.Py_ssize_t,
)
cdef object _fill(
    double[::1] rows, Py_ssize_t width, Py_ssize_t at, const double[::1] p, const double[::1] words,
    const long long[::1] owner, const long long[::1] circles, const long long[::1] start, const long long[::1] stop,
    const long long[::1] kinds, Py_ssize_t kind_count, const long long[::1] order,
    Py_ssize_t core, const long long[::1] meeting, const long long[::1] up, const long long[::1] down,
)

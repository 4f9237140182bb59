cimport cython

cdef Py_ssize_t _LINKS, _FEATURES

cdef Py_ssize_t GUESSES
cdef double DOUBT

@cython.locals(
    totals="double[::1]", hits="double[::1]", most=cython.double, scale=cython.double, likely=cython.Py_ssize_t,
    block=cython.Py_ssize_t, guess=cython.Py_ssize_t, size=cython.double, chosen=list, best=cython.double,
    best_count=cython.Py_ssize_t, count=cython.Py_ssize_t, runs=cython.Py_ssize_t, cost=cython.double,
    expected=cython.double,
)
cdef tuple _cut(
    const double[::1] words, const double[::1] p, const long long[::1] order, const long long[::1] doubts, double scrap
)

@cython.locals(
    step=cython.Py_ssize_t, level=cython.Py_ssize_t, height=cython.double, guess=cython.Py_ssize_t,
)
cdef object _give(double[::1] guesses, double words, double p, Py_ssize_t doubt)

@cython.locals(
    count=cython.Py_ssize_t, total=cython.double, size=cython.double, mass=cython.double, doubt=cython.double,
    blocks=cython.Py_ssize_t, runs=cython.Py_ssize_t, first=cython.Py_ssize_t, last=cython.Py_ssize_t,
    block=cython.Py_ssize_t, before=cython.double, after=cython.double,
)
cdef object _describe(double[::1] row, const double[::1] words, const double[::1] p, list kept, double expected)

@cython.locals(
    count=cython.Py_ssize_t, total=cython.double, size=cython.double, short=cython.double, medium=cython.double,
    long=cython.double, block=cython.Py_ssize_t, own=cython.double, plain=cython.double, at=cython.Py_ssize_t,
    many=cython.Py_ssize_t, first=cython.Py_ssize_t, place=cython.Py_ssize_t,
)
cdef object _contrast(
    double[::1] row, const double[::1] words, const double[::1] rows, Py_ssize_t width, const long long[::1] columns, list kept
)

@cython.locals(
    first=cython.Py_ssize_t, total=cython.double, block=cython.Py_ssize_t, expected=cython.double,
    at=cython.Py_ssize_t, place=cython.Py_ssize_t,
)
cdef object _content(
    double[::1] row, const double[::1] words, const double[::1] rows, Py_ssize_t width, const double[::1] p
)

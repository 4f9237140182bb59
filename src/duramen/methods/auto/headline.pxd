cimport cython

cdef Py_ssize_t LONGEST, SHORTEST, SHORTEST_UNSPACED, _LOWEST

@cython.locals(
    found=cython.Py_ssize_t, most=cython.Py_ssize_t, block=cython.Py_ssize_t, text=str, length=cython.Py_ssize_t,
    repeated=cython.Py_ssize_t,
)
cdef Py_ssize_t _find(
    list lower, str title, const long long[::1] heading, const long long[::1] words, const long long[::1] linked,
    double[::1] titled,
) except -2

@cython.locals(
    level=cython.Py_ssize_t, found=cython.Py_ssize_t, as_high=cython.Py_ssize_t, block=cython.Py_ssize_t,
)
cdef object _count(const long long[::1] heading, Py_ssize_t headline, long long[::1] headings, long long[::1] sections)

@cython.locals(
    found=cython.Py_ssize_t, named=cython.Py_ssize_t, most=cython.Py_ssize_t, block=cython.Py_ssize_t,
    share=cython.double, level=cython.Py_ssize_t, is_plain=cython.bint, text=str, said=str,
    repeated=cython.Py_ssize_t,
)
cdef Py_ssize_t _before(
    Py_ssize_t count, list texts, str title, tuple signs, const double[::1] rows, Py_ssize_t width,
    const long long[::1] headings, const double[::1] words, Py_ssize_t titled, Py_ssize_t links,
) except -2

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

cimport cython

@cython.locals(
    blocks=cython.Py_ssize_t, size=cython.longlong, total=cython.longlong, block=cython.Py_ssize_t,
)
cdef tuple _sizes(const long long[::1] words, list kept)

@cython.locals(first=cython.Py_ssize_t, last=cython.Py_ssize_t)
cdef tuple _bounds(list kept)

@cython.locals(found=list, start=cython.Py_ssize_t, block=cython.Py_ssize_t)
cdef list _runs(list kept, const long long[::1] first, const long long[::1] last)

@cython.locals(block=cython.Py_ssize_t)
cdef bint _any_again(
    const long long[::1] words, list kept, const double[::1] rows, Py_ssize_t width, Py_ssize_t times, Py_ssize_t least
) except -1

@cython.locals(found=cython.double, place=cython.Py_ssize_t)
cdef double _most(const double[::1] numbers) except -1.0

cimport cython

cdef bint _COMPILED

@cython.locals(
    known=dict, place=cython.Py_ssize_t, key=cython.longlong, size=cython.Py_ssize_t, slots=cython.longlong[::1],
    first=cython.longlong[::1], count=cython.Py_ssize_t, slot=cython.Py_ssize_t,
)
cdef Py_ssize_t _number(long long[::1] keys, long long[::1] numbers) except -1

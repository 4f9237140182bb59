cimport cython

cdef Py_ssize_t SPEAKING, _PAIRS, _MOST_BITS
cdef long long _CAPITAL, _COMMA, _CURRENCY, _MOST_COUNTED
cdef str _COMMAS, _CURRENCIES
cdef bytes _DIGITS, _CAPITALS
cdef bint _COMPILED

@cython.locals(place=cython.Py_ssize_t, text=str, currencies=cython.Py_ssize_t, currency=cython.Py_ssize_t)
cdef Py_ssize_t _count_marks(
    list texts, long long[::1] digits, long long[::1] capitals, long long[::1] commas, long long[::1] counts
) except -1

@cython.locals(
    raw=bytes, length=cython.Py_ssize_t, commas=cython.Py_ssize_t, currencies=cython.Py_ssize_t,
    character=cython.Py_UCS4, code=cython.Py_ssize_t, total=cython.longlong,
)
cdef (Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t) _marks(str text, long long[::1] counts)

@cython.locals(total=cython.Py_ssize_t, place=cython.Py_ssize_t, text=str, count=cython.Py_ssize_t, sign=str)
cdef object _cover(double[::1] found, list texts, long long[::1] words, tuple signs)

@cython.locals(
    total=cython.Py_ssize_t, beginnings=cython.int[::1], number=cython.Py_ssize_t, sign=str, place=cython.Py_ssize_t,
    text=str, before=cython.uint, count=cython.Py_ssize_t, seen=cython.int, at=cython.Py_ssize_t, character=cython.Py_UCS4,
    code=cython.uint, maybe=cython.int,
)
cdef object _cover_at_once(double[::1] found, list texts, long long[::1] words, tuple signs)

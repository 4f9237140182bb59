cimport cython

cdef object re, unescape, _WRAPPING, _WRAPPED, _STRING_OR_COMMA, _LAST_COMMA, _WRONG_ESCAPE

cdef Py_ssize_t _DEEPEST

@cython.locals(at=cython.Py_ssize_t)
cdef list _values(str text, object scan)

@cython.locals(count=cython.Py_ssize_t, at=cython.Py_ssize_t)
cdef Py_ssize_t _count(str text, str bracket) except -1

cdef object _depth(str text)

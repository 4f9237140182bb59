cimport cython

cdef object brackets, whole, re, unescape, _WRAPPING, _WRAPPED, _STRING_OR_COMMA, _LAST_COMMA, _WRONG_ESCAPE

cpdef list loads(str text, object scan=*)

cdef Py_ssize_t _DEEPEST

@cython.locals(at=cython.Py_ssize_t)
cdef list _values(str text, object scan)

cdef object _depth(str text)

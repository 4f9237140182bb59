cimport cython

cdef frozenset _UNREAD, _INLINE
cdef bytes _LOWER_WORDS

cdef str _tidy(str value)

@cython.locals(
    pieces=list, length=cython.Py_ssize_t, at=cython.Py_ssize_t, end=cython.Py_ssize_t, tag=str, text=str
)
cdef str _text_of(list tags, list texts, list ends, Py_ssize_t node, Py_ssize_t most)

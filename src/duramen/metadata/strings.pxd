cimport cython

cdef frozenset _UNREAD, _INLINE
cdef bytes _LOWER_WORDS

cdef bint _COMPILED

cdef str _tidy(str value)

@cython.locals(character=cython.Py_UCS4, is_after_space=cython.bint)
cdef bint _is_tidy(str value) except -1

@cython.locals(place=cython.Py_ssize_t, start=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef list _words(str said)

@cython.locals(
    pieces=list, length=cython.Py_ssize_t, at=cython.Py_ssize_t, end=cython.Py_ssize_t, tag=str, text=str
)
cdef str _text_of(list tags, list texts, list ends, Py_ssize_t node, Py_ssize_t most)

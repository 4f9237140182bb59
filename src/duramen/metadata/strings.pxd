cimport cython

cdef frozenset _UNREAD, _INLINE, _OLD_STARTS
cdef bytes _LOWER_WORDS
cdef int _SPACE, _BEYOND

cdef bint _COMPILED

cdef str _tidy(str value)

@cython.locals(character=cython.Py_UCS4, is_after_space=cython.bint)
cdef bint _is_tidy(str value) except -1

@cython.locals(at=cython.Py_ssize_t)
cdef bint _may_hold_entity(str value) except -1

@cython.locals(
    found=bytearray, length=cython.Py_ssize_t, is_after_space=cython.bint, character=cython.Py_UCS4, said=cython.int
)
cdef str _ascii_key(str value)

cdef str _key(str value)

@cython.locals(
    here=cython.Py_ssize_t,
    there=cython.Py_ssize_t,
    first=cython.Py_ssize_t,
    second=cython.Py_ssize_t,
    said=cython.int,
    ending=cython.int,
    other_ending=cython.int,
)
cdef bint _alike(str one, str other) except -1

@cython.locals(code=cython.int)
cdef inline int _told(str value, Py_ssize_t place) except -1

@cython.locals(place=cython.Py_ssize_t, start=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef list _words(str said)

@cython.locals(
    pieces=list, length=cython.Py_ssize_t, at=cython.Py_ssize_t, end=cython.Py_ssize_t, tag=str, text=str
)
cdef str _text_of(list tags, list texts, list ends, Py_ssize_t node, Py_ssize_t most)

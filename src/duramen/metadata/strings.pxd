cimport cython

from duramen.compiled.metadata_characters cimport ascii_key, is_tidy

cdef Py_ssize_t LONGEST
cdef object unescape, normalize, TEXT, _ENTITY, _TAG, _LONE, _NOT_TEXT, _HAN, _WORD

cdef frozenset _UNREAD, INLINE, _OLD_STARTS
cdef bytes LOWER_WORDS
cdef int _SPACE, _BEYOND

cdef bint _COMPILED

cpdef str tidy(str value)

cpdef str text_of(object tree, Py_ssize_t node, Py_ssize_t most=*)

cpdef Py_ssize_t word_count(str said) except -1

cpdef str key(str value)

cpdef str key_once(str value)

cpdef bint alike(str one, str other) except -1

cdef str _tidy(str value)

@cython.locals(at=cython.Py_ssize_t)
cdef bint _may_hold_entity(str value) except -1

cdef str _wide_key(str value)

@cython.locals(
    here=cython.Py_ssize_t,
    there=cython.Py_ssize_t,
    first=cython.Py_ssize_t,
    second=cython.Py_ssize_t,
    said=cython.int,
    said_here=list,
    said_there=list,
    ending=cython.int,
    other_ending=cython.int,
)
cdef bint _alike(str one, str other) except -1

cdef Py_ssize_t _next_space(str value, Py_ssize_t place) except -1

@cython.locals(code=cython.int)
cdef inline int _told(str value, Py_ssize_t place) except -1

@cython.locals(place=cython.Py_ssize_t, start=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef list _words(str said)

@cython.locals(
    pieces=list, length=cython.Py_ssize_t, at=cython.Py_ssize_t, end=cython.Py_ssize_t, tag=str, text=str
)
cdef str _text_of(list tags, list texts, list ends, Py_ssize_t node, Py_ssize_t most)

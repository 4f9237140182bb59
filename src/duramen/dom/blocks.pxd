cimport cython

cdef bint _COMPILED
cdef Py_ssize_t _TEXT, _SKIPPED, _INLINE, _LINK, _IMAGE, _BOLD, _BREAK, _FIRST_UNSPACED, _LAST_INDIC, _FIRST_KANA

cpdef bint unspaced(str text) except? -1

cdef Py_ssize_t count_words(str text, Py_ssize_t pieces) except? -1

cdef class _Piece:
    cdef str text
    cdef Py_ssize_t words

    cdef object read(self, str text)

    @cython.locals(
        at=cython.Py_ssize_t, words=cython.Py_ssize_t, start=cython.Py_ssize_t, stop=cython.Py_ssize_t,
        code=cython.Py_ssize_t, is_blank=cython.bint, is_rough=cython.bint, is_single=cython.bint,
        may_be_unspaced=cython.bint, character=cython.Py_UCS4,
    )
    cdef object look(self, str text)

@cython.locals(place=cython.Py_ssize_t)
cdef object _copy(long long[::1] numbers, double[::1] found)

@cython.locals(count=cython.Py_ssize_t, length=cython.Py_ssize_t, tag=str)
cdef Py_ssize_t _count(list tags, str wanted) except -1

@cython.locals(
    block=cython.Py_ssize_t, elements=cython.Py_ssize_t, seen=cython.Py_ssize_t, pieces=list, node=cython.Py_ssize_t,
    count=cython.Py_ssize_t, element=cython.Py_ssize_t, element_end=cython.Py_ssize_t, link_end=cython.Py_ssize_t,
    bold_end=cython.Py_ssize_t, border=cython.bint, breaks=cython.Py_ssize_t, next_hidden=cython.Py_ssize_t,
    waiting=list, blank=str, other_blank=str, text=str, tag=str, means=cython.Py_ssize_t, piece=_Piece, size=cython.Py_ssize_t, end=cython.Py_ssize_t, kept=cython.Py_ssize_t,
    place=cython.Py_ssize_t,
)
cdef (Py_ssize_t, Py_ssize_t) _find(
    list tags, list texts, list ends, frozenset hidden, dict meaning, list block_texts,
    long long[::1] first, long long[::1] last, long long[::1] words, long long[::1] linked, long long[::1] bold,
    long long[::1] owner, long long[::1] nodes, long long[::1] above, long long[::1] start, long long[::1] stop,
    long long[::1] images, long long[::1] element_ends,
)

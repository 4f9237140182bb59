cimport cython

cdef Py_ssize_t _TEXT, _SKIPPED, _INLINE, _LINK, _IMAGE, _BOLD, _BREAK

@cython.locals(
    block=cython.Py_ssize_t, elements=cython.Py_ssize_t, image_count=cython.Py_ssize_t, pieces=list, split=list,
    node=cython.Py_ssize_t, count=cython.Py_ssize_t, element=cython.Py_ssize_t, element_end=cython.Py_ssize_t,
    link_end=cython.Py_ssize_t, bold_end=cython.Py_ssize_t, at_border=cython.bint, breaks=cython.Py_ssize_t,
    hidden_nodes=list, hidden_place=cython.Py_ssize_t, next_hidden=cython.Py_ssize_t, blank=str, other_blank=str,
    text=str, stripped=str, role=cython.Py_ssize_t, size=cython.Py_ssize_t, end=cython.Py_ssize_t, kept=cython.Py_ssize_t,
    place=cython.Py_ssize_t,
)
cdef (Py_ssize_t, Py_ssize_t) _fill(
    list tags, list texts, list ends, frozenset hidden, dict roles, list block_texts,
    long long[::1] first, long long[::1] last, long long[::1] words, long long[::1] linked, long long[::1] bold,
    long long[::1] owner, long long[::1] nodes, long long[::1] parents, long long[::1] start, long long[::1] stop,
    long long[::1] images, long long[::1] element_ends,
)

@cython.locals(character=cython.Py_UCS4)
cpdef bint has_unspaced_script(str text) except -1

cpdef Py_ssize_t count_words(str text, Py_ssize_t pieces) except -1

@cython.locals(words=cython.Py_ssize_t, after_space=cython.bint, character=cython.Py_UCS4)
cpdef Py_ssize_t count_spaced_words(str text) except -1

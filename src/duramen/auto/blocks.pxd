cimport cython

cdef bint _COMPILED
cdef Py_ssize_t _TEXT, _SKIPPED, _INLINE, _LINK, _IMAGE, _BOLD, _BREAK

cpdef bint unspaced(str text) except? -1

cdef Py_ssize_t count_words(str text, Py_ssize_t pieces) except? -1

@cython.locals(before=cython.bint, character=cython.Py_UCS4)
cdef str _single_spaced(str text)

@cython.locals(
    first=list, last=list, block_texts=list, words=list, linked=list, bold=list, owner=list, nodes=list, above=list,
    start=list, stop=list, images=list, pieces=list, open_elements=list, open_ends=list, kept=list, new=list,
    text=str, means=cython.Py_ssize_t, any_hidden=cython.bint, node=cython.Py_ssize_t, count=cython.Py_ssize_t, element=cython.Py_ssize_t,
    element_end=cython.Py_ssize_t, link_end=cython.Py_ssize_t, bold_end=cython.Py_ssize_t, end=cython.Py_ssize_t,
    border=cython.bint, breaks=cython.Py_ssize_t, size=cython.Py_ssize_t, seen=cython.Py_ssize_t,
)
cdef tuple _find(list tags, list texts, list ends, frozenset hidden, dict meaning)

@cython.locals(kept=list, new=list, element=cython.Py_ssize_t)
cdef tuple _with_blocks(list start, list stop)

cimport cython

cdef str TEXT, _BREAK, _LINK, _IMAGE
cdef frozenset INLINE, _BOLD

cdef Py_ssize_t count_words(str text, Py_ssize_t pieces) except? -1

@cython.locals(
    first=list, last=list, block_texts=list, words=list, linked=list, bold=list, owner=list, nodes=list, above=list,
    start=list, stop=list, images=list, pieces=list, found=list, open_elements=list, open_ends=list, kept=list, new=list,
    tag=str, text=str, node=cython.Py_ssize_t, count=cython.Py_ssize_t, element=cython.Py_ssize_t,
    element_end=cython.Py_ssize_t, link_end=cython.Py_ssize_t, bold_end=cython.Py_ssize_t, end=cython.Py_ssize_t,
    border=cython.bint, breaks=cython.Py_ssize_t, size=cython.Py_ssize_t, seen=cython.Py_ssize_t,
)
cdef tuple _find(list tags, list texts, list ends, list parents, frozenset hidden, frozenset skipped)

@cython.locals(kept=list, new=list, element=cython.Py_ssize_t)
cdef tuple _with_blocks(list start, list stop)

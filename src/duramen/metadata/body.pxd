cimport cython

from duramen.compiled.metadata_claims cimport new

cdef object bisect_right, name_words, NOWHERE, FOLLOWS, HEADINGS, OF_OTHERS, STANDS_BESIDE, marks_around, read_marks, text_of
cdef object INVISIBLE, invisible

cdef frozenset _COMMENTS, _LEFT_OUT
cdef str TEXT
cdef tuple _IN_COMMENTS
cdef Py_ssize_t _PROSE, _LONGEST_HEADING

@cython.locals(
    tags=list,
    ends=list,
    parents=list,
    tag=str,
    place=cython.Py_ssize_t,
    node=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    half=cython.Py_ssize_t,
    prose=cython.Py_ssize_t,
    until=cython.Py_ssize_t,
    besides=cython.Py_ssize_t,
    inside=cython.Py_ssize_t,
    tells=cython.int,
    is_own=cython.bint,
    is_most=cython.bint,
)
cdef tuple _divided(object tree, Py_ssize_t headline, list nodes, list marks)

@cython.locals(node=cython.Py_ssize_t, text=str)
cdef Py_ssize_t _prose(list tags, list texts, list parents, Py_ssize_t start) except -1

@cython.locals(text=str)
cdef bint _announces(object tree, Py_ssize_t node) except -1

@cython.locals(part=str)
cdef bint _may_name_comments(str said) except -1

@cython.locals(
    found=list,
    node=cython.Py_ssize_t,
    at=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    until=cython.Py_ssize_t,
)
cdef list _outside(list starts, list stops, list nodes)

@cython.locals(
    found=list,
    at=cython.Py_ssize_t,
    count=cython.Py_ssize_t,
    node=cython.Py_ssize_t,
    skip=cython.Py_ssize_t,
    text=str,
    blank=str,
)
cdef list _texts(list tags, list texts, list ends, Py_ssize_t body, list skipped)

cimport cython

from duramen.compiled.metadata_strings cimport text_of

cdef frozenset _RELATIONS
cdef object _WORDS
cdef str _OPENINGS
cdef Py_ssize_t _MARGIN, _MOST

@cython.locals(node=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef list _opening(list texts, list ends, list scripts)

@cython.locals(place=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef bint _opens(str text) except -1

cdef object _elements(object tree)

@cython.locals(
    nodes=list, types=list, texts=list, ends=list, place=cython.Py_ssize_t, node=cython.Py_ssize_t, of=str
)
cpdef list _described(object tree, list scripts)

@cython.locals(rel=str, href=str)
cdef list _links(list told)

cimport cython

from duramen.compiled.metadata_strings cimport text_of

cdef frozenset _RELATIONS
cdef str _OPENINGS
cdef Py_ssize_t _MARGIN, _MOST


cdef class Head:
    cdef dict __dict__  # what is read once
    cdef readonly object tree
    cdef object _elements

    cpdef list nodes(self, str tag)

    cpdef list metas(self, object silent)

    cpdef list related(self, str tag)

    cpdef object attributes(self, Py_ssize_t node)


@cython.locals(node=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef list _filled(list texts, list ends, list scripts)

@cython.locals(place=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef bint _opens(str text) except -1

@cython.locals(rel=str, href=str)
cdef list _links(list told)

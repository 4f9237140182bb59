cimport cython

from duramen.compiled.metadata_claims cimport new

cdef object name_words, UNSURE, _PARTING, _MEANINGS, _WORDS
cdef int ITEM, HOLDING
cdef tuple AUTHOR_ATTRIBUTES
cdef frozenset _ITEM_ATTRIBUTES, _PLAIN, _OF_TIME

@cython.locals(place=cython.Py_ssize_t, told=cython.int)
cpdef list _telling(list nodes, list tells, int wanted)

cimport cython

cdef object name_words, marked, UNSURE, _PARTING, ITEM, HOLDING, _MEANINGS, _WORDS, AUTHOR_ATTRIBUTES, _ITEM_ATTRIBUTES
cdef object _PLAIN, _OF_TIME

@cython.locals(place=cython.Py_ssize_t, told=cython.int)
cpdef list _telling(list nodes, list tells, int wanted)

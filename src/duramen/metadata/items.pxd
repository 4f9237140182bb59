cimport cython

from duramen.compiled.metadata_strings cimport text_of, tidy

cdef tuple _OF_OTHERS, _BY_OTHERS

cpdef bint is_item(object own) except -1

@cython.locals(of=str, names=str)
cpdef bint is_others(object own) except -1

@cython.locals(word=str)
cdef bint _names_one(str said, tuple words) except -1

@cython.locals(said=str, name=str)
cpdef list types_of(object own)

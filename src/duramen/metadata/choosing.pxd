cimport cython

cdef object exp, fsum, Found, new

cdef dict _RELIABLE
cdef double _MOST_SURE

@cython.locals(doubt=cython.double, trust=cython.double)
cdef double _sure(object sources) except -1

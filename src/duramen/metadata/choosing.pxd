cimport cython

from duramen.compiled.metadata_claims cimport new

cdef object exp, fsum, Found

cdef dict _RELIABLE
cdef double _MOST_SURE

cpdef double score(object option, object weights) except? -1

cpdef object said_together(object value, object sources)

@cython.locals(doubt=cython.double, trust=cython.double)
cdef double _sure(object sources) except -1

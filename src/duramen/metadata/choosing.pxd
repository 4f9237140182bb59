cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_tuples cimport Found, Option

cdef object exp, fsum

cdef dict _RELIABLE
cdef double _MOST_SURE

@cython.locals(sign=str)
cpdef double score(Option option, object weights) except? -1

cpdef object said_together(object value, object sources)

@cython.locals(doubt=cython.double, trust=cython.double)
cdef double _sure(object sources) except -1

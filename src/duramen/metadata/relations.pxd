cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_head cimport Head as _Head
from duramen.compiled.metadata_strings cimport text_of, tidy

cdef object Claim, REL

cdef Py_ssize_t _LONGEST

@cython.locals(claims=dict, rel=str, href=str, relations=list, text=str)
cpdef dict read_relations(_Head head)

cdef object _claim(str value, object node)

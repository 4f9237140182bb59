from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_strings cimport text_of, tidy

cdef object Claim, REL

cdef object _WORDS
cdef Py_ssize_t _LONGEST

cpdef dict read_relations(object head)

cdef object _claim(str value, object node)

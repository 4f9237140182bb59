from duramen.compiled.metadata_addresses cimport host_and_path
from duramen.compiled.metadata_strings cimport key, text_of, tidy

cdef Py_ssize_t _LONGEST, _MOST
cdef str _LIST

cdef bint _leads(str href, str host, str path) except -1

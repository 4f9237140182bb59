cimport cython

cdef dict _NAMES
cdef frozenset _SILENT, _AUTHOR_LABELS

cdef object _told(str name, str value, dict labels)

@cython.locals(name=str, value=str, known=tuple, labels=dict)
cdef object _claims(list told)

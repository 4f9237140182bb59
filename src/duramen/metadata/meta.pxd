cimport cython

cdef object Claim, new, of_page, tidy, TWITTER, META, _parts

cdef dict _NAMES
cdef tuple _FIELDS
cdef object _SILENT
cdef frozenset _AUTHOR_LABELS

cdef object _told(str name, str value, dict labels)

@cython.locals(name=str, value=str, known=tuple, labels=dict, claims=dict)
cdef object _claims(list told)

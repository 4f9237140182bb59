cdef dict _NAMES
cdef frozenset _SILENT, _AUTHOR_LABELS

cdef object _told(str name, str value, dict labels)

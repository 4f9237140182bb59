cdef frozenset _ROLE, _NOBODY, _NO_NAMES, _ORGANISATION

cdef bint _is_sentence(str piece) except -1

cdef bint _is_title(str piece) except -1

cdef object _kind(str name, object told)

cdef frozenset _ROLE, _NOBODY, _NO_NAMES, _JOINING, _ORGANISATION

cdef bint _may_be_address(str value) except -1

cdef str _without_by(str value)

cdef bint _is_sentence(str piece) except -1

cdef bint _is_title(str piece) except -1

cdef object _kind(str name, object told)

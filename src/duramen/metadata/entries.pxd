cdef frozenset _ENTRIES

cpdef bint is_entry(str classes) except -1

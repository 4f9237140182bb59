cdef frozenset _SECOND_LEVEL, _WRITTEN, _WARES

cdef bint _may_name_year(str path) except -1

cdef object _claim(str day)

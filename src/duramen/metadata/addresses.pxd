cdef object date, unquote, urlsplit, NOWHERE, Claim, new, NO_ADDRESS, key, URL, _PLAIN, _DAY, _NAMED, _MONTHS, _MONTH

cdef frozenset _SECOND_LEVEL, _WRITTEN, _WARES

cdef bint _may_name_year(str path) except -1

cdef object _claim(str day)

cdef object date, datetime, NOWHERE, Claim, new, day_of, read_date, swapped, authors, Option, has_han, key, is_site
cdef object _EXPLICIT, _OF_SITES, _PUBLISHED, _MARKUP, _MOST_IN_BODY, _MOST_IN_HEAD, _ROW

cdef frozenset HEAD, _DECLARED, _IN_ROWS, _HONORIFICS

cdef bint _is_site(object one, object sites, str brand) except -1

cdef list _in_rows(list claims, object setting)

cdef list _some(list claims)

cdef str _bare(str name)

cdef str _sign(object claim)

cdef void _sign_claim(object claim, set signs, set seen) except *

cdef tuple _sources(list claims)

cdef object _node(list claims)

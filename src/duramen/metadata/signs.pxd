from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_dates cimport day_of, read_date, swapped
from duramen.compiled.metadata_names cimport authors
from duramen.compiled.metadata_strings cimport key
from duramen.compiled.metadata_titles cimport is_site

cdef object date, datetime, NOWHERE, Claim, Option, has_han
cdef object _EXPLICIT, _OF_SITES, _PUBLISHED, _MARKUP, _MOST_IN_BODY, _MOST_IN_HEAD, _ROW

cdef frozenset HEAD, _DECLARED, _IN_ROWS, _HONORIFICS

cpdef tuple without_site_itself(tuple people, object sites, str brand)

cpdef bint are_site(tuple people, object sites, str brand) except -1

cpdef bint names_site(object option) except -1

cpdef list together(list claims)

cpdef frozenset said_by(tuple people)

cdef bint _is_site(object one, object sites, str brand) except -1

cdef list _in_rows(list claims, object setting)

cdef list _some(list claims)

cdef str _bare(str name)

cdef str _sign(object claim)

cdef void _sign_claim(object claim, set signs, set seen) except *

cdef tuple _sources(list claims)

cdef object _node(list claims)

cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_dates cimport day_of, read_date, swapped
from duramen.compiled.metadata_names cimport authors
from duramen.compiled.metadata_strings cimport key
from duramen.compiled.metadata_titles cimport is_site, says_site
from duramen.compiled.metadata_tuples cimport Author, Claim, Option, Setting

cdef object date, datetime, NOWHERE, has_han
cdef object _EXPLICIT, _OF_SITES, _PUBLISHED, _MARKUP, _MOST_IN_BODY, _MOST_IN_HEAD, _ROW

cdef frozenset HEAD, _DECLARED, _IN_ROWS, _HONORIFICS

@cython.locals(
    merged=dict,
    seen=set,
    signs=set,
    group=list,
    people=tuple,
    names=frozenset,
    made=tuple,
    first=Claim,
    kind=str,
    common=tuple,
    sources=tuple,
    shortest=cython.Py_ssize_t,
    longest=cython.Py_ssize_t,
    length=cython.Py_ssize_t,
    is_lower=cython.bint,
    are_bodies=cython.bint,
    name=str,
    one=Author,
)
cpdef list author_options(list claims, Setting setting)

@cython.locals(
    of_kind=str,
    read=dict,
    changed=set,
    merged=dict,
    seen=set,
    signs=set,
    declared=list,
    changes=list,
    dated=list,
    sure=set,
    claim=Claim,
    one=Claim,
    known=tuple,
    source=str,
    common=tuple,
    found=list,
    moments=list,
    group=list,
    sources=tuple,
)
cpdef list date_options(list published, list modified, Setting setting)

cpdef tuple without_site_itself(tuple people, object sites, str brand)

cpdef bint are_site(tuple people, object sites, str brand) except -1

cpdef bint names_site(Option option) except -1

@cython.locals(claim=Claim, source=str, of=str, groups=dict)
cpdef list together(list claims)

@cython.locals(one=Author)
cpdef frozenset said_by(tuple people)

@cython.locals(is_body=cython.bint)
cdef bint _is_site(Author one, object sites, str brand) except -1

@cython.locals(claim=Claim)
cdef list _in_rows(list claims, Setting setting)

@cython.locals(claim=Claim)
cdef list _some(list claims)

cdef set _relations(frozenset names, dict options)

cdef str _bare(str name)

@cython.locals(claim=Claim, found=dict)
cdef dict _read(list claims, str lang)

cdef str _sign(Claim claim)

cdef void _sign_claim(Claim claim, set signs, set seen) except *

@cython.locals(claim=Claim)
cdef tuple _sources(list claims)

@cython.locals(claim=Claim)
cdef object _node(list claims)

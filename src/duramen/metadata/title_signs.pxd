cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_strings cimport key, word_count
from duramen.compiled.metadata_titles cimport says_site, without_prefix
from duramen.compiled.metadata_tuples cimport Claim, Option, Setting

cdef object NOWHERE, OF_PARTS, parts, without_site, _TOP, _ENDING, _digit
cdef object _number, pairwise

cdef frozenset _CUT
cdef tuple CUT_OFF
cdef Py_ssize_t _MOST_NUMBERED, _SHORTEST_CUT_OFF

@cython.locals(
    merged=dict,
    read=dict,
    told=tuple,
    first=str,
    wholes=dict,
    headings=list,
    sites=tuple,
    brand=str,
    path=str,
    of_kind=str,
    claim=Claim,
    value=str,
    source=str,
    of=str,
    bare=str,
    signs=set,
    same=dict,
    whole_words=dict,
    heading_words=list,
    slug=set,
    names=list,
    options=list,
    said=str,
    whole=str,
    words=set,
    likest=cython.double,
    name=str,
    nodes=list,
    option=tuple,
    is_list=cython.bint,
)
cpdef list title_options(list claims, Setting setting, object elsewhere=*)

@cython.locals(said=str, joined=str)
cdef dict _merge_joined(dict merged)

@cython.locals(said=str)
cdef void _drop_cut_off(dict merged) except *

cdef bint _is_numbered(str value) except -1

cdef object _add_title(dict merged, str said, str value, str sign, str source, object node)

cdef set _slug(str path)

cdef double _shared(set one, set other) except -1

cdef str _length(Py_ssize_t words)

cimport cython

from duramen.compiled.metadata_choosing cimport said_together
from duramen.compiled.metadata_dates cimport day_of, read_date
from duramen.compiled.metadata_names cimport authors
from duramen.compiled.metadata_sources cimport Sources as _Sources
from duramen.compiled.metadata_strings cimport alike, key, key_once, text_of, tidy
from duramen.compiled.metadata_tuples cimport Author, Claim, Found

cdef object urljoin, urlsplit, base, host_and_path, other_things, _DESCRIBED, _LANGUAGE
cdef dict _TAGS
cdef Py_ssize_t _MOST_TAGS, _LONGEST_TAG
cdef object _MOST_LISTED, _LONGEST_LISTED, _LONGEST_MARKED, _WRAPPER, _SURE_MARKED

cdef tuple _OF_SITE, _OF_DESCRIPTION, _OF_IMAGE, _SCHEMES

@cython.locals(claim=Claim, said=str)
cpdef object modified(_Sources sources, bint body)

cpdef object marked_authors(_Sources sources, object node)

@cython.locals(one=Author)
cpdef object with_addresses(_Sources sources, Found found)

cpdef object marked_date(_Sources sources, object node)

cpdef object labels(_Sources sources, str name, object node)

cpdef object site(_Sources sources)

@cython.locals(own=str, tag=str, one=Claim)
cpdef object language(_Sources sources)

cpdef object language_tag(str value)

cdef object _language_tag(str value)

cpdef object description(_Sources sources)

@cython.locals(claims=list, values=dict, said=dict, claim=Claim)
cpdef object listed(_Sources sources, str name)

@cython.locals(told=list, claim=Claim, rel=str)
cpdef object canonical(_Sources sources)

@cython.locals(told=list, named=list, claim=Claim, rel=str, value=str)
cpdef object licence(_Sources sources)

@cython.locals(rel=str)
cpdef object image(_Sources sources)

@cython.locals(kinds=list, told=list, one=tuple, claim=Claim)
cpdef object page_type(_Sources sources)

@cython.locals(article=cython.Py_ssize_t, end=cython.Py_ssize_t, told=list, claim=Claim)
cdef list _linked(_Sources sources, str name)

@cython.locals(tags=list, parents=list, found=cython.Py_ssize_t, node=cython.Py_ssize_t)
cdef tuple _article(object tree, Py_ssize_t headline)

cdef list _marked(_Sources sources, str field)

@cython.locals(claim=Claim)
cdef list _described(_Sources sources, str field)

cdef list _wholes(_Sources sources, list told)

cdef str _graph_type(str value)

@cython.locals(claims=list, claim=Claim)
cdef object _in_order(_Sources sources, str field, tuple order, object same)

@cython.locals(told=list, known=list, source=str, one=tuple, claim=Claim, value=str)
cdef list _read_in_order(_Sources sources, list claims, tuple order, bint are_addresses)

@cython.locals(said=list)
cdef object _first(list told, object same)

cdef object _address(_Sources sources, str value)

@cython.locals(parts=list, part=str)
cdef void _add_listed(str value, str source, dict values, dict said) except *

cpdef bint is_told(_Sources sources) except -1

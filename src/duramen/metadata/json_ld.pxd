cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_head cimport Head as _Head
from duramen.compiled.metadata_json_repair cimport loads
from duramen.compiled.metadata_strings cimport key, tidy

cdef object Claim, _MOST_READ, _MOST_KINDS, _scan

cdef frozenset WORKS, _FORUM, _ARTICLE, _PRODUCT, _LISTS
cdef tuple _ORGANISATIONS, _ENTRIES
cdef dict _NAMED, _KINDS, _RANK
cdef str JSON_LD
cdef Py_ssize_t _MOST_SEEN, _MOST_NAMES

cdef class _Unread:
    cdef object _ld
    cdef list _own
    cdef dict _read

@cython.locals(texts=list, things=list, left=cython.Py_ssize_t, text=str)
cpdef object read_things(_Head head)

cpdef object read_json_ld(object ld, str address, str title)

@cython.locals(found=list, data=dict, kind=str, named=tuple, name=str)
cdef list _claims(object ld, list own, str field)

cdef void _add(list found, object value, str of, object node) except *

cdef void _add_sites(list found, object ld, dict data, str kind, object node) except *

@cython.locals(of=str)
cdef void _add_authors(list found, object ld, dict data, str kind, object node) except *

@cython.locals(works=list, others=list, kind=str)
cdef list _own(object ld, object address, str title)

@cython.locals(waiting=list, seen=cython.Py_ssize_t, of=str)
cdef void _add_things(object value, object node, list found) except *

@cython.locals(name=str)
cdef void _add_entries(dict data, list found) except *

cdef str _type(dict data)

cdef str _local(str name)

cpdef str kind_of(str of)

cdef str _kind(str of)

cdef str _told_kind(str of)

cdef object _address_or_name(dict thing)

cdef list _listed(object value)

@cython.locals(found=list)
cdef list _texts(object value)

cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_head cimport Head as _Head
from duramen.compiled.metadata_scopes cimport of_page
from duramen.compiled.metadata_strings cimport tidy

cdef object Claim, TWITTER, META, _parts

cdef dict _NAMES, _NOTHING
cdef object _SILENT
cdef frozenset _AUTHOR_LABELS

@cython.locals(told=list)
cpdef dict read_metas(_Head head)

cdef object _told(str name, str value, dict labels)

@cython.locals(name=str, value=str, known=tuple, labels=dict, claims=dict, said=list)
cdef dict _claims(list told)

cimport cython

from duramen.compiled.metadata_entries cimport is_entry
from duramen.compiled.metadata_items cimport is_item, is_others, types_of
from duramen.compiled.metadata_json_ld cimport kind_of
from duramen.compiled.metadata_strings cimport key, key_once, text_of

@cython.locals(node=cython.Py_ssize_t, headline=cython.Py_ssize_t, holds_headline=cython.bint, is_thing=cython.bint)
cpdef bint may_be_of_others(object body, object nodes, str title) except -1

@cython.locals(of=str)
cdef bint _is_article(object own) except -1

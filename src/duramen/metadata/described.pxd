cimport cython

from duramen.compiled.metadata_items cimport is_item, is_others, types_of
from duramen.compiled.metadata_json_ld cimport kind_of
from duramen.compiled.metadata_strings cimport key, key_once, text_of

cdef tuple _works_and_others(object body)

@cython.locals(of=str)
cdef bint _is_article(object own) except -1

@cython.locals(node=cython.Py_ssize_t)
cdef object _apart(object tree, list nodes)

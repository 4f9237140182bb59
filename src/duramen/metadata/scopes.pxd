cimport cython

from duramen.compiled.metadata_json_ld cimport kind_of

cdef frozenset _MAIN, _OTHERS, _NOT_OTHERS

cpdef list of_page(object tree, list told)

@cython.locals(node=cython.Py_ssize_t, outer=cython.Py_ssize_t, parents=list, is_scope=cython.bint)
cdef dict _scopes(object tree, list nodes)

@cython.locals(types=list, one=str)
cdef Py_ssize_t _scope(Py_ssize_t node, str of, str name, Py_ssize_t outer) except? -2

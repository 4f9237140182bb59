cimport cython

cdef frozenset SPEAKING
cdef str _TEXT

@cython.locals(found=dict, text=str, tag=str, node=cython.Py_ssize_t)
cdef dict _speaking(list tags)

@cython.locals(found=list, tag=str, node=cython.Py_ssize_t)
cdef list _places(list tags, str wanted)

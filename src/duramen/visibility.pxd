cimport cython

cdef str TEXT

@cython.locals(found=list, node=cython.Py_ssize_t, count=cython.Py_ssize_t, tag=str, text=str)
cdef list _text_nodes(list tags, list texts, list ends, frozenset hidden, frozenset skipped)

@cython.locals(node=cython.Py_ssize_t, count=cython.Py_ssize_t, tag=str, text=str)
cdef bint _says_as_much(list tags, list texts, list ends, frozenset hidden, frozenset skipped, Py_ssize_t size)

@cython.locals(node=cython.Py_ssize_t, start=cython.Py_ssize_t, tag=str, text=str)
cdef bint _hides_more(list tags, list texts, list ends, list hidden, frozenset skipped, Py_ssize_t size) except -1

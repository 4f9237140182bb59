cimport cython

cdef object urljoin, new, OF_PICTURES, text_of, tidy, UNSURE, _MOST, _SOURCE

cdef tuple _LATE_SOURCES, _SETS, _NO_ADDRESSES, _DOT
cdef Py_ssize_t _HIGHEST, _LONGEST

cdef object _address(object page, Py_ssize_t node, str source)

@cython.locals(tags=list, parents=list, above=cython.Py_ssize_t, _=cython.Py_ssize_t)
cdef object _caption(object tree, Py_ssize_t node, frozenset named, dict captions)

@cython.locals(tags=list, inner=cython.Py_ssize_t, is_caption=cython.bint)
cdef object _caption_in(object tree, Py_ssize_t holder)

cdef list _class_words(object tree, Py_ssize_t node)

cimport cython

cdef str TEXT
cdef size_t _TEXT_ID, _STANDARD_IDS
cdef list _NAMES

@cython.locals(
    tags=list, parents=list, ends=list, texts=list, elements=list, names=list, siblings=list,
    tag_id=cython.size_t, name=str, count=cython.Py_ssize_t,
)
cdef object _arrays(object node, Py_ssize_t most)

@cython.locals(depths=list, parent=cython.Py_ssize_t)
cdef list _depths(list parents)

@cython.locals(found=list, missing=cython.Py_ssize_t, index=cython.Py_ssize_t)
cdef list _places(set wanted, list elements)

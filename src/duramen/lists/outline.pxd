cimport cython

cdef str TEXT
cdef Py_ssize_t PICTURE

@cython.locals(
    count=cython.Py_ssize_t, before=list, linked=list, links=list, codes=list, known=dict, weight=cython.Py_ssize_t,
    in_links=cython.Py_ssize_t, seen=cython.Py_ssize_t, size=cython.Py_ssize_t, link_end=cython.Py_ssize_t,
    skip_end=cython.Py_ssize_t, node=cython.Py_ssize_t, tag=str, text=str,
)
cdef object _sums(list tags, list texts, list ends, frozenset hidden, frozenset skipped)

@cython.locals(
    wide=cython.Py_ssize_t, sums=dict, squares=dict, stop=cython.Py_ssize_t, node=cython.Py_ssize_t,
    end=cython.Py_ssize_t, weight=cython.Py_ssize_t, code=cython.Py_ssize_t, key=cython.Py_ssize_t, best=dict,
    square=cython.double, total=cython.double, score=cython.double, above=cython.Py_ssize_t,
)
cdef list _evenly_filled(Py_ssize_t body, list ends, list parents, list before, list codes)

cimport cython

cdef str TEXT
cdef Py_ssize_t PICTURE

@cython.locals(
    weight=cython.Py_ssize_t, held=cython.Py_ssize_t, total=cython.double, squares=cython.double, record=tuple,
    start=cython.Py_ssize_t, stop=cython.Py_ssize_t, damped=cython.double,
)
cdef tuple _spread(list ends, list before, list links, object records, double power)

# The sums stay Python's numbers: most nodes repeat that of the node before, and need no new one.
@cython.locals(
    count=cython.Py_ssize_t, before=list, linked=list, links=list, codes=list, known=dict, size=cython.Py_ssize_t,
    link_end=cython.Py_ssize_t, skip_end=cython.Py_ssize_t, node=cython.Py_ssize_t, tag=str, text=str,
)
cdef object _sums(list tags, list texts, list ends, frozenset hidden, frozenset skipped)

@cython.locals(
    found=list, sums=cython.longlong[::1], squares=cython.longlong[::1], seen=list, stop=cython.Py_ssize_t,
    node=cython.Py_ssize_t, end=cython.Py_ssize_t, whole=cython.Py_ssize_t, children=cython.Py_ssize_t,
    child=cython.Py_ssize_t, after=cython.Py_ssize_t, weight=cython.longlong, code=cython.Py_ssize_t,
    best=cython.double, total=cython.double, square=cython.double, score=cython.double,
)
cdef list _evenly_filled(Py_ssize_t body, list ends, list before, list codes, Py_ssize_t kinds)

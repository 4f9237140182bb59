cimport cython

cdef Py_ssize_t LEVELS, _MOST

@cython.locals(
    found=dict, open_ends=list, levels=list, weights=list, depth=cython.Py_ssize_t, seen=cython.Py_ssize_t,
    node=cython.Py_ssize_t, stop=cython.Py_ssize_t, end=cython.Py_ssize_t, weight=cython.Py_ssize_t,
    level=cython.Py_ssize_t, code=cython.Py_ssize_t, key=cython.Py_ssize_t, had=cython.double,
)
cdef dict _counted(list ends, list before, list codes, Py_ssize_t top)

@cython.locals(
    smaller=cython.double, larger=cython.double, shared=cython.Py_ssize_t, value=cython.double, other_value=cython.double,
)
cdef double _likeness(dict one, dict other)

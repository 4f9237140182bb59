cimport cython

cdef Py_ssize_t LEVELS, _MOST, _LONGEST

@cython.locals(pairs=cython.Py_ssize_t, total=cython.double, left=cython.Py_ssize_t, fellow=dict, shape=dict)
cdef double _regularity(dict shapes, list ends, list before, list codes, object records, double least)

@cython.locals(found=dict, value=cython.double)
cdef dict _shape(dict shapes, list ends, list before, list codes, object record)

@cython.locals(found=dict)
cdef dict _known(dict shapes, list ends, list before, list codes, object top)

@cython.locals(
    found=dict, open_ends=list, levels=list, weights=list, depth=cython.Py_ssize_t, seen=cython.Py_ssize_t,
    node=cython.Py_ssize_t, stop=cython.Py_ssize_t, end=cython.Py_ssize_t, weight=cython.Py_ssize_t,
    level=cython.Py_ssize_t, code=cython.Py_ssize_t, key=cython.Py_ssize_t, had=cython.double,
)
cdef dict _counted(list ends, list before, list codes, Py_ssize_t top)

@cython.locals(
    smaller=cython.double, larger=cython.double, shared=cython.Py_ssize_t, value=cython.double,
)
cdef double _likeness(dict one, dict other)

@cython.locals(smaller=cython.double, larger=cython.double, value=cython.double)
cdef double _nearness(dict one, dict other, double whole)

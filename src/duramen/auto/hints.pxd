cimport cython

cdef Py_ssize_t MOST_NAMES, _SHORTEST, _LONGEST
cdef tuple NONE

cdef list _names(str name, str identity, str role, str itemprop)

@cython.locals(lower=str, found=list, part=str)
cdef list _words(str name)

@cython.locals(
    total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
    found=list, word=str, length=cython.Py_ssize_t, value=cython.Py_ssize_t,
)
cdef tuple _sum(str name, dict dictionary)

@cython.locals(
    total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
    name=str, known=tuple, each=cython.Py_ssize_t, many=cython.Py_ssize_t, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
)
cdef tuple _score(list names, dict dictionary, dict sums)

@cython.locals(
    sums=dict, alone=dict, known=dict, found=list, classes=list, roles=list, own=dict, name=str, identity=str, role=str,
    itemprop=str, value=tuple, key=tuple, own_names=list, first=str,
)
cdef tuple _scores(list attributes, dict dictionary)

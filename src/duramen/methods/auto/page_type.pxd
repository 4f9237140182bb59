cimport cython

cdef Py_ssize_t COUNT, _OTHER, _ANY, _CURRENCIES, _ADDRESS, _LONGEST, _LONGEST_ADDRESS, _NONE
cdef double _MANY
cdef dict _KIND, _THING, _WORD

cdef str _said(object tree, list nodes, list names, str name)

@cython.locals(
    nodes=list, kinds=list, left=cython.Py_ssize_t, place=cython.Py_ssize_t, kind=str, node=cython.Py_ssize_t, said=str,
    one=str, several=str, thing=str, at=cython.Py_ssize_t,
)
cdef object _read_things(double[::1] row, object tree)

@cython.locals(parts=list, part=str, last=str, label=str, at=cython.Py_ssize_t)
cdef object _read_address(double[::1] row, str address)

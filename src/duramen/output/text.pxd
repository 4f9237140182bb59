cimport cython

cdef Py_ssize_t _LINE, _RULE, _TABLE

@cython.locals(
    out=list, before_kind=cython.Py_ssize_t, apart=cython.bint, indents=dict, kind=cython.Py_ssize_t, text=str
)
cdef str _joined(list blocks)

@cython.locals(first=str, rest=list, lead=str, indent=str)
cdef str _indented(str text, object container, dict indents)

@cython.locals(lead=str, indent=str, sign=str)
cdef str _lead(object container, dict indents)

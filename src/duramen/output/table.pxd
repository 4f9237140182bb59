cimport cython

@cython.locals(parts=list, stops=dict, caption=list, cells=list, row=list, line=list)
cdef object _made_of(list captions, list rows, object container, Py_ssize_t start, list blocks)

cdef object _cell(object part, list blocks, Py_ssize_t start, Py_ssize_t stop, object container)

@cython.locals(row=list, count=cython.Py_ssize_t)
cdef bint _any_row_speaks(list rows) except -1

@cython.locals(row=list)
cdef bint _are_plain(list rows) except -1

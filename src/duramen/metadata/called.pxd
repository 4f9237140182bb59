cimport cython

cdef object _capitals, _parts

cdef bint _COMPILED
cdef Py_ssize_t _LONGEST

@cython.locals(
    found=list,
    start=cython.Py_ssize_t,
    place=cython.Py_ssize_t,
    was_small=cython.bint,
    is_small=cython.bint,
    is_capital=cython.bint,
    is_in_word=cython.bint,
    character=cython.Py_UCS4,
)
cdef list _ascii_words(str both)

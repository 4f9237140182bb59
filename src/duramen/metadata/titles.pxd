cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_strings cimport key

cdef object _IN_MARKS, _PERMALINK, _MOST_WORDS, _PREFIX, _PREFIX_STARTS

@cython.locals(
    found=list,
    first=cython.Py_ssize_t,
    seen=cython.Py_ssize_t,
    start=cython.Py_ssize_t,
    at=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
)
cdef list _parts(str title)

@cython.locals(end=cython.Py_ssize_t, after=cython.Py_ssize_t)
cdef Py_ssize_t _end_of_mark(str title, Py_ssize_t first, Py_ssize_t at) except -2

@cython.locals(end=cython.Py_ssize_t, after=cython.Py_ssize_t, is_beside=cython.bint)
cdef Py_ssize_t _end_of_joint(str title, Py_ssize_t at) except -2

cdef bint _is_han(Py_UCS4 character) except -1

cdef Py_ssize_t _after_spaces(str title, Py_ssize_t place) except -1

@cython.locals(
    first=list,
    second=list,
    left=dict,
    word=str,
    count=cython.Py_ssize_t,
    shared=cython.Py_ssize_t,
    both=cython.Py_ssize_t,
)
cpdef double likeness(str one, str other) except -1

cpdef bint may_be_cut(str title) except -1

cpdef str without_prefix(str title)

cpdef bint is_site(str part, object names, str brand) except -1

cpdef str without_permalink(str text)

cdef bint _COMPILED
cdef frozenset _HOME, _LABELS
cdef Py_ssize_t _LONGEST_LABEL

@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef bint _is_one_of(frozenset labels, str title, object part) except -1

@cython.locals(joined=str, words=cython.Py_ssize_t, other=str, word=str)
cpdef bint says_site(str said, object names, str brand) except -1

@cython.locals(place=cython.Py_ssize_t)
cdef Py_ssize_t _next_mark(str title, Py_ssize_t start) except -2

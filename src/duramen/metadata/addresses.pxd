cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_strings cimport key

cdef bint _COMPILED
cdef tuple _FORUM_WORDS

cdef object date, unquote, urlsplit, NOWHERE, Claim, NO_ADDRESS, URL, _PLAIN, _DAY, _NAMED, _MONTHS, _MONTH, _FORUM

cdef frozenset _SECOND_LEVEL, _WRITTEN, _WARES

cpdef tuple host_and_path(str address)

cpdef object date_in(str path)

cpdef tuple month_in(str path)

cpdef str address_kind(str path, tuple month)

@cython.locals(parts=list)
cpdef str brand_of(str host)

cpdef bint is_of_forum(str address) except -1

cdef bint _may_be_of_forum(str address) except -1

@cython.locals(start=cython.Py_ssize_t, end=cython.Py_ssize_t, beyond=cython.Py_ssize_t)
cdef tuple _plain(str address)

@cython.locals(place=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef Py_ssize_t _end_of_host(str address, Py_ssize_t start) except -1

@cython.locals(place=cython.Py_ssize_t, end=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef Py_ssize_t _end_of_path(str address, Py_ssize_t start) except -2

cdef bint _may_name_year(str path) except -1

cdef object _claim(int year, int month, int day)

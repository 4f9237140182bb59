cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_strings cimport key
from duramen.compiled.metadata_tuples cimport Author, Claim

cdef object has_han, _LONGEST, _MOST_WORDS, _BEFORE, _AFTER, _OPEN_END, _HAN_NAMES, _LONGEST_HAN, _BRACKETS
cdef object _ADDRESS, _MAIL, _MAIL_OF, _MAKER, _DOMAIN, _BETWEEN, _DEGREE, _NUMBER, _VARIABLE, _LETTER, _PLAIN, _LINE

cdef frozenset _BY_STARTS, _ROLE, _NOBODY, _NO_NAMES, _CHROME, _JOINING, _ORGANISATION, _ASKING, _NAMING, _WITHIN
cdef tuple _TURNING, _LAST_FIRST, _ADDRESSES

@cython.locals(found=dict, claim=Claim, name=str)
cpdef tuple authors(object claims)

cpdef bint is_plain(str value) except -1

cdef bint is_somebody(str name) except -1

@cython.locals(value=str, source=str, kind=str, turned=str)
cdef list _claimed(Claim claim)

cdef list _declared(str value, str turned)

cdef bint _asks(str said) except -1

cdef str _turned(str value, str source)

cdef bint _is_body(str value, bint is_name) except -1

cdef bint _may_have_brackets(str value) except -1

cdef bint _may_be_address(str value) except -1

@cython.locals(place=cython.Py_ssize_t, character=cython.Py_UCS4, start=str)
cpdef bint may_begin_with_by(str text) except -1

cdef str _without_by(str value)

cdef bint _is_sentence(str piece) except -1

cdef bint _is_title(str piece) except -1

cdef object _kind(str name, object told)

cdef bint _COMPILED
cdef int _LONGEST_PLAIN

@cython.locals(words=cython.int, length=cython.int, character=cython.Py_UCS4)
cdef bint _is_shaped(str value) except -1

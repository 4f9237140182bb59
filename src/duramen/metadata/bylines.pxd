cimport cython

cdef object bisect_left, Claim, is_in_prose, no_claims, text_of, BYLINE, DATELINE, _BYLINE, _REPORTED, _HEAD_OF_STORY, _ONLY_BY
cdef object _YEAR, _SHORT_DATE, _CHANGED, _NAME_AND_DATE, _BY_INSIDE

cdef tuple _OF_CHANGE, _RIGHTS_IN_ASCII, _RIGHTS
cdef frozenset _BY_STARTS
cdef Py_ssize_t _BEFORE, _AFTER, _LONGEST_BYLINE, _LONGEST_DATELINE, _LONGEST_FAR, _MOST_FAR, _MOST_ASKED, _LONGEST_LABEL

@cython.locals(found=list, node=cython.Py_ssize_t, text=str)
cdef list _with_years(list texts, list nodes)

@cython.locals(place=cython.Py_ssize_t, character=cython.Py_UCS4, start=str)
cdef bint _may_begin_with_by(str text) except -1

cdef bint _tells_change(str text) except -1

@cython.locals(part=str)
cdef bint _holds_any(str said, tuple parts) except -1

cdef bint _has_rights(str text) except -1

cdef list _around(object body, Py_ssize_t headline)

cdef str _block(object tree, Py_ssize_t node, Py_ssize_t length)

cimport cython

from duramen.compiled.metadata_names cimport may_begin_with_by

cdef object bisect_left, Claim, is_in_prose, no_claims, text_of, BYLINE, DATELINE, _BYLINE, _REPORTED, _HEAD_OF_STORY, _ONLY_BY
cdef object _YEAR, _SHORT_DATE, _CHANGED, _NAME_AND_DATE, _BY_INSIDE

cdef tuple _OF_CHANGE, _RIGHTS_IN_ASCII, _RIGHTS
cdef Py_ssize_t _BEFORE, _AFTER, _LONGEST_BYLINE, _LONGEST_DATELINE, _LONGEST_FAR, _MOST_FAR, _MOST_ASKED, _LONGEST_LABEL

@cython.locals(found=list, node=cython.Py_ssize_t, text=str)
cdef list _with_years(list texts, list nodes)

cdef bint _tells_change(str text) except -1

@cython.locals(part=str)
cdef bint _holds_any(str said, tuple parts) except -1

cdef bint _has_rights(str text) except -1

cdef list _around(object body, Py_ssize_t headline)

cdef str _block(object tree, Py_ssize_t node, Py_ssize_t length)

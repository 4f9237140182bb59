cimport cython

cdef object name_words, Claim, new, no_claims, AUTHOR, AUTHOR_ATTRIBUTES, CALLED, CHANGED, DATE, HOLDING, NAME
cdef object OF_PICTURES, SPEAKING, SPEAKS, USER, may_hold_time, REL, text_of, tidy, UNSURE, ADDRESS, PROFILE
cdef object PORTRAIT, NAMED, _PICTURE_OF, _PROFILE, _PROFILES

cdef dict _CLASSES
cdef frozenset _NOT_A_NAME, _PORTRAIT, _NOTHING, _OF_PLACES
cdef str _PICTURE_STARTS
cdef Py_ssize_t _LONGEST_NAME, _LONGEST_DATE, _MOST_WORDS

cdef list _profiles(object tree)

cdef dict _pictures(object body)

cdef void _read_attributes(object claims, object body, Py_ssize_t node, object own) except *

cdef bint _is_of_article(object body, Py_ssize_t node, frozenset said) except -1

@cython.locals(is_name=cython.bint, is_date=cython.bint, tag=str)
cdef Py_ssize_t _read_names(
    object claims, object body, Py_ssize_t node, object own, frozenset words, Py_ssize_t inside
) except -1

@cython.locals(said=str, name=str)
cdef void _read_picture(object claims, Py_ssize_t node, str alt, bint is_portrait) except *

cdef bint _is_portrait(object tree, Py_ssize_t node) except -1

@cython.locals(value=str)
cdef void _claim(
    object claims, str field, object body, Py_ssize_t node, object own, str source, str of, Py_ssize_t most
) except *

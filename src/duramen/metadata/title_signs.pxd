cimport cython

cdef object NOWHERE, new, Option, key, word_count, is_site, parts, without_site, _TOP, _ENDING, _digit

cdef frozenset _CUT

cdef object _add_title(dict merged, str value, str sign, str source, object node)

cdef set _slug(str path)

cdef double _shared(set one, set other) except -1

cdef str _length(Py_ssize_t words)

cdef object Claim, new, text_of, tidy, REL

cdef object _FOR_BROWSERS
cdef Py_ssize_t _LONGEST

cdef object _claim(str value, object node)

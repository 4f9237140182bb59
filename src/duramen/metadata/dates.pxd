cdef object _told(str value, str lang)

cdef object _exact(str value)

cdef object _kept(object found)

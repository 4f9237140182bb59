cdef object _kept(object found)

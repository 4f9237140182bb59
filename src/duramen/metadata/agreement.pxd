cdef bint _of_several(list claims) except -1

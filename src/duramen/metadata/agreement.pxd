cimport cython

cdef bint _are_in(str said, list starts) except -1

cdef bint _of_several(list claims) except -1

cdef bint _of_several(list claims) except -1

cdef bint _say_the_same(list claims) except -1

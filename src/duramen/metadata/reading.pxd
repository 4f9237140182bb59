cdef dict _ATTRIBUTES

cdef object _found(object chosen)

cdef object _value(object found)

cdef object _iso(object moment)

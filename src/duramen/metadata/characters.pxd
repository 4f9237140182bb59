cpdef str ascii_key(str value)

cpdef bint is_tidy(str value) except -1

cpdef object new(type kind, tuple values)

cdef dict _PATTERNS

cdef object walk, Claim, no_claims, tidy, SOURCE, _MOST_READ, _NAMES

cdef dict _PATTERNS

cimport cython

cdef object urljoin, urlsplit, base, host_and_path, _DESCRIBED, said_together, Claim, Found, day_of, read_date, authors, alike, key, key_once
cdef object text_of, tidy, _LANGUAGE, _MOST_LISTED, _LONGEST_LISTED, _LONGEST_MARKED, _WRAPPER, _SURE_MARKED

cdef tuple _OF_SITE, _OF_DESCRIPTION, _OF_IMAGE, _SCHEMES

cdef list _wholes(object sources, list told)

cdef str _graph_type(str value)

@cython.locals(claims=list)
cdef object _in_order(object sources, str field, tuple order, object same)

@cython.locals(told=list, known=list, source=str, one=tuple)
cdef list _read_in_order(object sources, list claims, tuple order, bint are_addresses)

@cython.locals(said=list)
cdef object _first(list told, object same)

cdef object _address(object sources, str value)

@cython.locals(parts=list, part=str)
cdef void _add_listed(str value, str source, dict values, dict said) except *

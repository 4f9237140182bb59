cdef object datetime, Found, new, day_of, read_date, swapped, authors, are_site, people_of, said_by, together, key, is_site, CITATION
cdef object parts, without_site, _SURE_TITLE, _SURE_AUTHORS, _SURE_DATE

cdef bint _of_several(list claims) except -1

cdef bint _say_the_same(list claims) except -1

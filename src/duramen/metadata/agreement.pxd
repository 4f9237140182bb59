from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_dates cimport day_of, read_date, swapped
from duramen.compiled.metadata_names cimport authors, is_plain
from duramen.compiled.metadata_signs cimport are_site, said_by, together, without_site_itself
from duramen.compiled.metadata_strings cimport key
from duramen.compiled.metadata_titles cimport is_site, may_be_cut

cdef object datetime, Found, CITATION
cdef object parts, without_site, _SURE_TITLE, _SURE_AUTHORS, _SURE_DATE

cpdef object agreed_title(object sources)

cpdef object agreed_authors(object sources)

cpdef object cited_authors(object sources)

cpdef object agreed_date(object sources)

cdef bint _may_be_site(tuple people) except -1

cdef bint _of_several(list claims) except -1

cdef bint _say_the_same(list claims) except -1

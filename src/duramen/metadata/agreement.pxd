cimport cython

from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_dates cimport day_of, read_date, swapped
from duramen.compiled.metadata_names cimport authors, is_plain
from duramen.compiled.metadata_signs cimport are_site, said_by, together, without_site_itself
from duramen.compiled.metadata_sources cimport Sources as _Sources
from duramen.compiled.metadata_strings cimport key, tidy
from duramen.compiled.metadata_titles cimport may_be_cut, says_site
from duramen.compiled.metadata_tuples cimport Claim, Found

cdef object datetime, CITATION
cdef object parts, without_site, CUT_OFF, WORKS, _SURE_TITLE, _SURE_HEADLINE, _SURE_AUTHORS, _SURE_DATE, _STAMPS

@cython.locals(headings=list, titles=list, sites=tuple, claim=Claim, heading=Claim, title=str, said=str)
cpdef object agreed_title(_Sources sources)

@cython.locals(heading=Claim, said=str)
cdef object _heading_among(set wanted, list headings, tuple sites, str brand)

@cython.locals(claim=Claim)
cdef set _headlines(_Sources sources)

@cython.locals(claims=list, first=Claim, people=tuple, agreed=tuple, named_by=dict, group=list)
cpdef object agreed_authors(_Sources sources)

cpdef object settled_authors(_Sources sources)

@cython.locals(claim=Claim, people=tuple)
cdef object _cited_authors(_Sources sources)

@cython.locals(claims=list, claim=Claim, people=tuple)
cdef object _posting_authors(_Sources sources)

@cython.locals(claims=list, claim=Claim, said=str, first=str, named_by=dict)
cpdef object agreed_date(_Sources sources)

@cython.locals(claim=Claim)
cdef bint _has_witness(_Sources sources, list claims, object moment) except -1

cdef bint _may_be_site(tuple people) except -1

@cython.locals(claim=Claim)
cdef bint _of_several(list claims) except -1

@cython.locals(claim=Claim)
cdef bint _say_the_same(list claims) except -1

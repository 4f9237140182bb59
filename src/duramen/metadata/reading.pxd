cimport duramen.compiled.metadata_agreement as agreement
cimport duramen.compiled.metadata_dates as dates
cimport duramen.compiled.metadata_fields as fields
from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_dates cimport day_of
from duramen.compiled.metadata_signs cimport author_options, date_options, names_site
from duramen.compiled.metadata_title_signs cimport title_options

cdef object URL, writing, agreed, choose, Claim, Found, images, HEAD
cdef object is_declared, names_people, Sources, AUTHOR, DATE, TITLE, FIELDS, LEAST_SURE_AUTHOR
cdef object UsageError, LEAST_SURE_DATE, _SURE_AUTHOR, _SURE_DATE

cdef tuple _TITLE_ALONE
cdef dict _ATTRIBUTES

cdef object _found(object chosen)

cdef object _value(object found)

cdef object _iso(object moment)

cdef object agreement, dates, fields, writing, agreed, choose, Claim, Found, new, day_of, images, author_options, HEAD
cdef object date_options, is_declared, names_people, names_site, Sources, title_options, AUTHOR, DATE, TITLE, FIELDS, LEAST_SURE_AUTHOR
cdef object UsageError, LEAST_SURE_DATE, _SURE_AUTHOR, _SURE_DATE

cdef tuple _TITLE_ALONE
cdef dict _ATTRIBUTES

cdef object _found(object chosen)

cdef object _value(object found)

cdef object _iso(object moment)

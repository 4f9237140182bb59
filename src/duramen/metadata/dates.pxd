cimport cython

cdef object UTC, date, datetime, timedelta, timezone, find_spec, time, base, _EARLIEST_YEAR, _NO_DATES
cdef object _LAST_OF_NO_DATES, _MONTHS, _FORMS, _COMPACT, _NUMBERS, _SHORT, _EPOCH, _WORDED, _MONTH_FIRST
cdef dict _TODAY
cdef double _EASTERNMOST
cdef long long _SECONDS_A_DAY, _FIRST_DAY
cdef object _LONGEST, _LONGEST_SHORT, _LETTERS, _LATIN, _OTHER

cpdef object read_date(str value, str lang=*)

cpdef bint may_be_swapped(object day) except -1

cpdef object swapped(str value, object day)

cpdef object day_of(object moment)

@cython.locals(now=cython.double, number=cython.longlong)
cpdef object today()

cdef object _TIME_AFTER, _TIME_BEFORE, _NAMED_ZONES, _BRITISH_SUMMER, _MOSCOW, _MOSCOW_AHEAD, _MOST_HOURS

cdef tuple _BEIJING

cdef object _told(str value, str lang)

cdef object _exact(str value)

cdef object _kept(object found)

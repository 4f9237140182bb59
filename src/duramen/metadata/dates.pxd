cdef object UTC, date, datetime, timedelta, timezone, find_spec, time, base, _EARLIEST_YEAR, _NO_DATES
cdef object _LAST_OF_NO_DATES, _MONTHS, _FORMS, _COMPACT, _NUMBERS, _SHORT, _EPOCH, _WORDED, _MONTH_FIRST
cdef object _EASTERNMOST, _FIRST_DAY, _LONGEST, _LONGEST_SHORT, _LETTERS, _LATIN, _OTHER

cdef object _TIME_AFTER, _TIME_BEFORE, _NAMED_ZONES, _BRITISH_SUMMER, _MOSCOW, _MOSCOW_AHEAD, _MOST_HOURS

cdef tuple _BEIJING

cdef object _told(str value, str lang)

cdef object _exact(str value)

cdef object _kept(object found)

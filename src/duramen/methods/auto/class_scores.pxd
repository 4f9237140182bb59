cimport cython

cdef Py_ssize_t MOST_NAMES, _SHORTEST, _LONGEST
cdef tuple NONE

cdef list _names(str name, str identity, str role, str itemprop)

@cython.locals(lower=str, found=list, part=str)
cdef list _words(str name)

@cython.locals(
    total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
    found=list, word=str, length=cython.Py_ssize_t, value=cython.Py_ssize_t,
)
cdef tuple _sum(str name, dict dictionary)

@cython.locals(
    total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
    name=str, known=tuple, each=cython.Py_ssize_t, many=cython.Py_ssize_t, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
)
cdef tuple _score(list names, dict dictionary, dict sums)

@cython.locals(
    sums=dict, words=dict, roles=list, table=_Table, place=cython.Py_ssize_t, one=tuple, name=str, identity=str,
    role=str, itemprop=str, word=str, number=cython.Py_ssize_t, at=cython.Py_ssize_t, own=tuple, each=list, one=object,
    numbers=dict,
)
cdef list _read(
    list names, dict dictionary, double[::1] said, long long[::1] first, long long[::1] commented, _Told told,
    long long[::1] ends, Py_ssize_t telling,
)

cdef dict _order(dict dictionary)

@cython.locals(words=list, start=cython.Py_ssize_t, at=cython.Py_ssize_t, character=cython.Py_UCS4)
cdef str _first(str name)

cdef bint _is_plain(str value) except -1

@cython.locals(character=cython.Py_UCS4)
cdef bint _is_one(str value) except -1

cdef bint _COMPILED
cdef unsigned long long _SEED, _PRIME
cdef long long _MISSING
cdef unsigned long long _MAYBE, _OMMENT, _SIX
cdef str _COMMENT

cdef class _Table:
    cdef object dictionary
    cdef unsigned long long mask
    cdef unsigned char[::1] maybe
    cdef unsigned long long[::1] hashes
    cdef long long[::1] numbers, scores

    @cython.locals(told=cython.ulonglong, slot=cython.ulonglong, letter=cython.Py_UCS4)
    cdef object add(self, str word, long long number)

    @cython.locals(slot=cython.ulonglong)
    cdef long long get(self, unsigned long long told)

cdef _Table _last

@cython.locals(table=_Table)
cdef _Table _table(dict dictionary)

cdef class _Told:
    cdef object room
    cdef long long[::1] known
    cdef Py_ssize_t size
    cdef long long total, count, lowest, highest
    cdef bint is_commented

    cdef void forget(self)

    cdef object words(self)

    cdef object note(self, long long number)

    @cython.locals(
        at=cython.Py_ssize_t, names=cython.Py_ssize_t, start=cython.Py_ssize_t, character=cython.Py_UCS4,
        before=cython.longlong, whole=cython.ulonglong, part=cython.ulonglong, size=cython.Py_ssize_t,
        is_small=cython.bint, is_cut=cython.bint, letter=cython.ulonglong, tail=cython.ulonglong,
    )
    cdef object read(self, str value, _Table table)

    cdef object end(
        self, str value, Py_ssize_t start, Py_ssize_t stop, unsigned long long whole, unsigned long long part,
        long long before, _Table table,
    )

    @cython.locals(number=cython.longlong)
    cdef object find(self, unsigned long long told, _Table table)

    @cython.locals(value=cython.longlong)
    cdef object add(self, long long number, _Table table)

@cython.locals(
    found=cython.longlong, told=cython.ulonglong, place=cython.Py_ssize_t, letter=cython.ulonglong, said=cython.longlong
)
cdef long long _beginning(str value, Py_ssize_t start, Py_ssize_t stop, _Table table) except? -1

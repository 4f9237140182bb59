cimport cython

cdef Py_ssize_t CIRCLES, LONG, LABEL, BITS, HINTS, _FAR, _COMMENTED
cdef dict FLAGS, ROLES, HEADINGS

cdef class _Pass:
    cdef public list tags, role, texts, lower, labels
    cdef public bint is_commented
    cdef public Py_ssize_t currencies
    cdef public object dictionary, sayings, ends, known
    cdef public double[::1] said
    cdef public long long[::1] which, first, names_commented, tag
    cdef public long long[::1] words, linked, bold, owner, parent, start, stop, images
    cdef public long long[::1] sum_words, sum_linked, sum_commas, sum_long
    cdef public long long[::1] digits, capitals
    cdef public object kind, circles, heading, commented, titled
    cdef public double[::1] hints
    cdef public long long[::1] label, flags, level, peers, place, group_words, group_start, three, most, heaviest
    cdef public Py_ssize_t kinds, headline

    @cython.locals(
        elements=cython.Py_ssize_t, known=dict, keys=cython.longlong[::1], element=cython.Py_ssize_t, tag=str,
        found=cython.Py_ssize_t, size=cython.longlong, block=cython.Py_ssize_t, commas=cython.longlong[::1], own=cython.Py_ssize_t, linked=cython.Py_ssize_t,
        owner=cython.Py_ssize_t, above=cython.Py_ssize_t,
    )
    cpdef add_up(self, list tags, long long[::1] nodes)

    @cython.locals(
        elements=cython.Py_ssize_t, keys=cython.longlong[::1], group=cython.longlong[::1], sizes=cython.longlong[::1],
        weights=cython.longlong[::1], first=cython.longlong[::1], element=cython.Py_ssize_t, found=cython.Py_ssize_t,
    )
    cpdef find_peers(self)

    @cython.locals(
        hints=cython.double[::1], circles=cython.longlong[::1], peers=cython.longlong[::1], group_words=cython.longlong[::1],
        which=cython.longlong[::1], said=cython.double[::1], scores=cython.longlong[::1], own_flags=cython.longlong[::1],
        roles=cython.longlong[::1], body=cython.Py_ssize_t,
        element=cython.Py_ssize_t, tag=cython.Py_ssize_t, above=cython.Py_ssize_t, bits=cython.Py_ssize_t, tag_score=cython.Py_ssize_t,
        mean=cython.double, lowest=cython.double, highest=cython.double, named=cython.double, at=cython.Py_ssize_t,
        around=cython.Py_ssize_t, low=cython.double, high=cython.double, number=cython.Py_ssize_t,
        same=cython.bint, skipped=cython.Py_ssize_t, other=cython.Py_ssize_t, size=cython.Py_ssize_t,
        weight=cython.double, heavier=cython.bint,
    )
    cpdef inherit(self)

    @cython.locals(levels=cython.longlong[::1], heading=cython.longlong[::1], block=cython.Py_ssize_t)
    cpdef find_headline(self)

    @cython.locals(numbers=cython.longlong[::1], tags=cython.longlong[::1], element=cython.Py_ssize_t)
    cpdef weigh(self, object weights)

    @cython.locals(
        words=cython.longlong[::1], linked=cython.longlong[::1], owners=cython.longlong[::1], parent=cython.longlong[::1],
        sum_words=cython.longlong[::1], sum_linked=cython.longlong[::1], sum_commas=cython.longlong[::1], sum_long=cython.longlong[::1],
        start=cython.longlong[::1], stop=cython.longlong[::1], peers=cython.longlong[::1], hints=cython.double[::1],
        circles=cython.longlong[::1], kinds_=cython.longlong[::1], count=cython.Py_ssize_t, total=cython.double, heading=cython.longlong[::1],
        long_before=cython.longlong[::1], long_after=cython.longlong[::1], h1=cython.Py_ssize_t, kind_blocks=cython.longlong[::1],
        kind_words=cython.longlong[::1], kind_linked=cython.longlong[::1], block=cython.Py_ssize_t, kind=cython.Py_ssize_t,
        commented=cython.longlong[::1], known=dict, same=cython.longlong[::1],
        times=cython.longlong[::1], seen=cython.longlong[::1], lower=list, text=str,
        told=cython.double[::1], sum_told=cython.double[::1], most_told=cython.double,
        last_heading=cython.Py_ssize_t, under=cython.Py_ssize_t, owner=cython.Py_ssize_t, above=cython.Py_ssize_t,
        own=cython.Py_ssize_t, own_linked=cython.Py_ssize_t, length=cython.Py_ssize_t, at=cython.Py_ssize_t,
        titled=cython.double[::1], distance=cython.Py_ssize_t, other=cython.Py_ssize_t, reach=cython.Py_ssize_t,
        low=cython.Py_ssize_t, high=cython.Py_ssize_t, size=cython.Py_ssize_t, bits=cython.Py_ssize_t,
        bit=cython.Py_ssize_t, number=cython.Py_ssize_t, place=cython.Py_ssize_t, level=cython.Py_ssize_t,
        headline=cython.Py_ssize_t, sections=cython.longlong[::1], headings=cython.longlong[::1],
        meeting=cython.longlong[::1], up=cython.longlong[::1], down=cython.longlong[::1],
    )
    cpdef fill(self, double[::1] rows, Py_ssize_t width, double[::1] ways)

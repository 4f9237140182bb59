cimport cython

@cython.locals(steps=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t)
cpdef object find_common_ancestors(
    const long long[::1] parent, Py_ssize_t other, long long[::1] ancestor, long long[::1] up, long long[::1] down
)

@cython.locals(known=dict, place=cython.Py_ssize_t)
cpdef list number(list keys, long long[::1] numbers)

@cython.locals(place=cython.Py_ssize_t, number=cython.Py_ssize_t)
cpdef object count_copies(const long long[::1] numbers, long long[::1] earlier, long long[::1] total)

@cython.locals(
    block=cython.Py_ssize_t, text=str, character=cython.Py_UCS4, digit=cython.Py_ssize_t, capital=cython.Py_ssize_t,
    comma=cython.Py_ssize_t, currency=cython.Py_ssize_t,
)
cpdef object count_characters(
    list lower, list texts, long long[::1] chars, long long[::1] digits, long long[::1] capitals, long long[::1] commas,
    long long[::1] currencies, double[::1] ends_sentence,
)

@cython.locals(block=cython.Py_ssize_t, text=str, prefix=str, count=cython.Py_ssize_t)
cpdef object match_prefixes(list lower, tuple prefixes, const double[::1] words, double min_words, double[::1] shares)

@cython.locals(
    element=cython.Py_ssize_t, above=cython.Py_ssize_t, own=cython.Py_ssize_t, mean=cython.double, lowest=cython.double,
    highest=cython.double, tag_score=cython.double, low=cython.double, high=cython.double,
)
cpdef object inherit_scores(
    const long long[::1] parent, const double[::1] tag_scores, const double[:, ::1] own_scores,
    const long long[::1] combination, double[:, ::1] scores,
)

@cython.locals(element=cython.Py_ssize_t, above=cython.Py_ssize_t)
cpdef object inherit_flags(const long long[::1] parent, long long[::1] flags, long long[::1] level)

@cython.locals(
    element=cython.Py_ssize_t, above=cython.Py_ssize_t, has_same_blocks=cython.bint, skipped=cython.Py_ssize_t,
    rank=cython.Py_ssize_t,
)
cpdef object find_containers(
    const long long[::1] parent, const long long[::1] start, const long long[::1] stop, const long long[::1] tags,
    Py_ssize_t body, long long[:, ::1] containers,
)

@cython.locals(
    element=cython.Py_ssize_t, above=cython.Py_ssize_t, size=cython.Py_ssize_t, other=cython.Py_ssize_t,
    weight=cython.double, is_heavier=cython.bint,
)
cpdef object find_large_groups(
    const long long[::1] parent, const long long[::1] tags, Py_ssize_t body, const long long[::1] peers,
    const double[::1] group_words, long long[::1] three, long long[::1] most, long long[::1] heaviest,
)

@cython.locals(
    best=cython.double, run=cython.double, run_start=cython.Py_ssize_t, best_start=cython.Py_ssize_t,
    best_stop=cython.Py_ssize_t, block=cython.Py_ssize_t,
)
cpdef tuple find_best_run(const double[::1] words, const double[::1] p)

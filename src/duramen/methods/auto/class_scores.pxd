cimport cython

# Lines of the scores of elements.
cdef Py_ssize_t _OWN, _NEAREST, _LOWEST, _HIGHEST, _SUM, _PARENT, _PARENT2, _PARENT3, _TAG, _LOWEST_CLASS

cdef class ClassScorer:
    cdef public object dictionary, weights
    cdef public dict _numbers, _cache
    cdef public list _scores

    cdef tuple _score_value(self, str value)

    @cython.locals(
        total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
        numbers=list, words=list, word=str, number=cython.Py_ssize_t, score=cython.Py_ssize_t,
        length=cython.Py_ssize_t, result=tuple,
    )
    cdef tuple _score_name(self, str name)

    cdef object _keep(self, str text, tuple score)

    @cython.locals(
        number=cython.Py_ssize_t, class_=str, id_=str, role=str, itemprop=str, is_comment=cython.bint, first_class=str,
        parts=list, total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t,
        highest=cython.Py_ssize_t, words=tuple,
    )
    cdef object _score_combinations(
        self, list combinations, Py_ssize_t scored, list first_classes, list roles, list are_comments, list all_words,
        double[:, ::1] scores, long long[::1] word_ends,
    )

@cython.locals(
    total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
    words=tuple, part_total=cython.Py_ssize_t, part_count=cython.Py_ssize_t, part_lowest=cython.Py_ssize_t,
    part_highest=cython.Py_ssize_t, part_words=tuple,
)
cdef tuple _join_scores(list parts)

@cython.locals(names=list)
cdef str _find_first_name(str value)

@cython.locals(lower=str, words=list)
cpdef list split_name(str name)

@cython.locals(
    depth=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t, left=cython.Py_ssize_t,
    place=cython.Py_ssize_t, total=cython.double, word=cython.Py_ssize_t,
)
cdef object _sum_path_weights(
    double[::1] sums, const long long[::1] parent, const long long[::1] tags, const long long[::1] combination,
    const long long[::1] word_ends, list words, const long long[::1] weights, double scale,
    long long[::1] counts, long long[::1] path,
)

@cython.locals(
    element=cython.Py_ssize_t, above=cython.Py_ssize_t, own=cython.Py_ssize_t, mean=cython.double, lowest=cython.double,
    highest=cython.double, tag_score=cython.double, low=cython.double, high=cython.double,
)
cdef object _inherit_scores(
    const long long[::1] parent, const double[::1] tag_scores, const double[:, ::1] own_scores,
    const long long[::1] combination, double[:, ::1] scores,
)

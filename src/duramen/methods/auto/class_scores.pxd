cimport cython

cdef class ClassScorer:
    cdef public object dictionary, weights
    cdef public dict _numbers, _cache
    cdef public list _scores

    @cython.locals(
        total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
        words=list, name=str, score=tuple, name_total=cython.Py_ssize_t, name_count=cython.Py_ssize_t,
        name_lowest=cython.Py_ssize_t, name_highest=cython.Py_ssize_t, numbers=tuple,
    )
    cpdef tuple score_names(self, list names)

    @cython.locals(
        total=cython.Py_ssize_t, count=cython.Py_ssize_t, lowest=cython.Py_ssize_t, highest=cython.Py_ssize_t,
        numbers=list, words=list, word=str, number=cython.Py_ssize_t, score=cython.Py_ssize_t,
        length=cython.Py_ssize_t, result=tuple,
    )
    cdef tuple _score_name(self, str name)

    @cython.locals(
        combinations=list, scored=cython.Py_ssize_t, place=cython.Py_ssize_t, number=cython.Py_ssize_t, class_=str,
        id_=str, role=str, itemprop=str, words=list,
    )
    cpdef object read_elements(self, object tree, object nodes)

@cython.locals(names=list)
cpdef list _list_names(str class_, str id_, str role, str itemprop)

@cython.locals(lower=str, words=list)
cpdef list split_name(str name)

@cython.locals(
    depth=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t, left=cython.Py_ssize_t,
    place=cython.Py_ssize_t, total=cython.double, word=cython.Py_ssize_t,
)
cdef object _sum_path_weights(
    double[::1] sums, const long long[::1] parent, const long long[::1] tags, const long long[::1] combination,
    const long long[::1] word_ends, const long long[::1] words, const long long[::1] weights, double scale,
    long long[::1] counts, long long[::1] path,
)

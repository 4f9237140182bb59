cimport cython

# Lines of the matrix.
cdef Py_ssize_t _P, _P_PREVIOUS_2, _P_PREVIOUS, _P_NEXT, _P_NEXT_2, _P_CONTAINER, _P_CLUSTER, _P_MOST, _P_MEAN
cdef Py_ssize_t _CONTENT_BEFORE, _CONTENT_AFTER, _IN_RUN, _FROM_RUN, _P_RUN, _P_WITHIN_4, _P_WITHIN_10
cdef Py_ssize_t _SURER_CONTENT, _SURER_WORDS, _F1_IF_LAST, _FROM_CORE, _CORE_ANCESTOR_BLOCKS, _CORE_ANCESTOR_P
cdef Py_ssize_t _CORE_ANCESTOR_UP, _CORE_ANCESTOR_DOWN

@cython.locals(
    best=cython.double, run=cython.double, run_start=cython.Py_ssize_t, best_start=cython.Py_ssize_t,
    best_stop=cython.Py_ssize_t, block=cython.Py_ssize_t,
)
cpdef tuple _find_best_run(const double[::1] words, const double[::1] p)

@cython.locals(
    core=cython.Py_ssize_t, most=cython.double, max_words=cython.double, block=cython.Py_ssize_t,
    expected=cython.double,
)
cdef Py_ssize_t _find_core(const double[::1] words, const double[::1] p) except -1

@cython.locals(
    count=cython.Py_ssize_t, run_start=cython.Py_ssize_t, run_stop=cython.Py_ssize_t, run_mean=cython.double,
    most=cython.double, block=cython.Py_ssize_t, total=cython.double, mean=cython.double, share=cython.double,
    low=cython.Py_ssize_t, high=cython.Py_ssize_t,
)
cdef object _write_neighbors(
    double[:, ::1] matrix, const double[::1] p, const double[::1] sum_words, const double[::1] sums, tuple best_run
)

@cython.locals(
    count=cython.Py_ssize_t, mean=cython.double, block=cython.Py_ssize_t, number=cython.Py_ssize_t,
    element=cython.Py_ssize_t, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
)
cdef object _write_means(
    double[:, ::1] matrix, const double[::1] sum_words, const double[::1] sums, const long long[::1] owner,
    const long long[::1] start, const long long[::1] stop, const long long[:, ::1] containers,
)

@cython.locals(block=cython.Py_ssize_t, number=cython.Py_ssize_t)
cdef object _write_clusters(
    double[:, ::1] matrix, const double[::1] words, const double[::1] p, const long long[::1] cluster,
    double[:, ::1] cluster_sums,
)

@cython.locals(
    share=cython.double, content=cython.double, kept_words=cython.double, best_f1=cython.double,
    place=cython.Py_ssize_t, block=cython.Py_ssize_t, f1=cython.double,
)
cdef object _write_ranks(
    double[:, ::1] matrix, const double[::1] words, const double[::1] p, const long long[::1] order, double total,
    double all_words,
)

@cython.locals(
    block=cython.Py_ssize_t, element=cython.Py_ssize_t, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
)
cdef object _write_core(
    double[:, ::1] matrix, const double[::1] sum_words, const double[::1] sums, const long long[::1] owner,
    const long long[::1] start, const long long[::1] stop, Py_ssize_t core, const long long[::1] ancestor,
    const long long[::1] up, const long long[::1] down,
)

cimport cython

cdef bint _COMPILED
cdef Py_ssize_t _BOUND, _STEPS, _TOGETHER

@cython.locals(
    count=cython.Py_ssize_t, sums=cython.double[::1], start=cython.Py_ssize_t, many=cython.Py_ssize_t,
    place=cython.Py_ssize_t, at=cython.Py_ssize_t, tree=cython.Py_ssize_t, _=cython.int,
    a=cython.uint, b=cython.uint, c=cython.uint, d=cython.uint, e=cython.uint, f=cython.uint, g=cython.uint, h=cython.uint,
    p=cython.double, q=cython.double, r=cython.double, s=cython.double, t=cython.double, u=cython.double, v=cython.double,
    w=cython.double,
)
cdef object _add(
    const double[::1] rows, Py_ssize_t width, const long long[::1] places, double[::1] near, const int[::1] column,
    const double[::1] threshold, const unsigned int[::1] child, const double[::1] value, const int[::1] height,
    Py_ssize_t trees, double[::1] out,
)

@cython.locals(
    last=cython.Py_ssize_t, number=cython.Py_ssize_t, at=cython.Py_ssize_t, own=cython.double, least=cython.double,
    most=cython.double, a=cython.Py_ssize_t, b=cython.Py_ssize_t, c=cython.Py_ssize_t, d=cython.Py_ssize_t,
    e=cython.Py_ssize_t, f=cython.Py_ssize_t, g=cython.Py_ssize_t, h=cython.Py_ssize_t,
)
cdef object _lay_side_by_side(
    const double[::1] rows, Py_ssize_t width, const long long[::1] places, Py_ssize_t start, Py_ssize_t many, double[::1] near
)

cdef object _first(Py_ssize_t count)

@cython.locals(place=cython.Py_ssize_t)
cdef object _count_up(long long[::1] numbers)

@cython.locals(count=cython.Py_ssize_t, row=cython.Py_ssize_t)
cdef Py_ssize_t _doubt(const double[::1] probabilities, double least, double most, long long[::1] rows) except -1

@cython.locals(place=cython.Py_ssize_t)
cdef object _put(const double[::1] numbers, const long long[::1] places, double[::1] found)

@cython.locals(last=cython.Py_ssize_t, place=cython.Py_ssize_t, step=cython.double, whole=cython.Py_ssize_t)
cdef object _squash(const double[::1] scores, const double[::1] table, double[::1] found)

@cython.locals(
    count=cython.Py_ssize_t, width=cython.Py_ssize_t, low=cython.Py_ssize_t, middle=cython.Py_ssize_t, high=cython.Py_ssize_t,
    is_other=cython.bint, left=cython.Py_ssize_t, right=cython.Py_ssize_t, place=cython.Py_ssize_t,
)
cdef bint _merge(const double[::1] keys, long long[::1] order, long long[::1] other) except -1

@cython.locals(
    count=cython.Py_ssize_t, tree=cython.Py_ssize_t, start=cython.Py_ssize_t, _=cython.Py_ssize_t,
    a=cython.uint, b=cython.uint, c=cython.uint, d=cython.uint, e=cython.uint, f=cython.uint, g=cython.uint, h=cython.uint,
)
cdef object _leaves(
    const double[::1] row, const int[::1] feature, const double[::1] threshold, const unsigned int[::1] child, const double[::1] value,
    Py_ssize_t steps, double[::1] values,
)

@cython.locals(found=list, at=cython.Py_ssize_t, group=cython.Py_ssize_t, place=cython.Py_ssize_t, total=cython.double)
cdef list _totals(const double[::1] values, const long long[::1] sizes)

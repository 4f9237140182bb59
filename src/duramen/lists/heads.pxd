cimport cython

cdef str TEXT

@cython.locals(found=list, stop=cython.Py_ssize_t, child=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef list _items(list tags, list ends, list before, Py_ssize_t node)

@cython.locals(
    by_tag=dict, by_token=dict, by_path=dict, by_pattern=dict, place=cython.Py_ssize_t, item=cython.Py_ssize_t,
    known=str, token=str, found=dict, kinds=dict, places=list,
)
cdef list _heads(
    list items, list tags, dict classes, list names, list ends, list before, list linked, list codes,
)

@cython.locals(places=list)
cdef object _add(dict kinds, object kind, Py_ssize_t place)

@cython.locals(several=list, one=tuple)
cdef list _most_common(dict kinds)

cdef object _note(dict found, list places, str way, double worth)

@cython.locals(path=list, node=cython.Py_ssize_t, stop=cython.Py_ssize_t, end=cython.Py_ssize_t)
cdef object _path(list ends, list before, list codes, Py_ssize_t item)

@cython.locals(
    kinds=set, children=cython.Py_ssize_t, cells=cython.bint, stop=cython.Py_ssize_t, child=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
)
cdef object _pattern(list names, list ends, list before, list linked, list codes, Py_ssize_t item)

cimport cython

@cython.locals(place=cython.Py_ssize_t, told=cython.int)
cpdef list _telling(list nodes, list tells, int wanted)

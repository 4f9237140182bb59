cimport cython

cdef class Container:
    cdef public Py_ssize_t role, node, depth
    cdef public Container parent, last
    cdef public object number
    cdef public bint is_list, is_item, ordered, loose, filled

    @cython.locals(container=Container)
    cpdef Container home(self)

    @cython.locals(container=Container, lands_list=cython.bint)
    cpdef object fill(self)

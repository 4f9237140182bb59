"""The twin of `once.py`: reading a property starts no frame of Python's but its own."""

cdef extern from "Python.h":
    dict PyObject_GenericGetDict(object, void*)  # what `__dict__` gives, without a look at the class for that name


cdef class once:
    cdef object _read
    cdef str _name
    cdef readonly object __doc__

    def __init__(self, read):
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    def __get__(self, instance, owner):
        if instance is None:
            return self
        found = self._read(instance)
        PyObject_GenericGetDict(instance, NULL)[self._name] = found
        return found

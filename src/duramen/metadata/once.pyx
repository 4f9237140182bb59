"""The twin of `once.py`: reading a property starts no frame of Python's but its own."""


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
        instance.__dict__[self._name] = found
        return found

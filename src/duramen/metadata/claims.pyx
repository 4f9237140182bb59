"""The twin of `new` in `claims.py`: what Python does by way of three tuples and as many calls."""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyTuple_SET_ITEM

cdef extern from "Python.h":
    object PyType_GenericAlloc(type, Py_ssize_t)
    bint PyType_HasFeature(type, unsigned long)
    const unsigned long Py_TPFLAGS_TUPLE_SUBCLASS


cpdef object new(type kind, tuple values):
    cdef Py_ssize_t place
    if not PyType_HasFeature(kind, Py_TPFLAGS_TUPLE_SUBCLASS):
        raise TypeError(f"{kind.__name__} is no kind of tuple")
    found = PyType_GenericAlloc(kind, PyTuple_GET_SIZE(values))
    for place in range(PyTuple_GET_SIZE(values)):
        value = <object> PyTuple_GET_ITEM(values, place)
        Py_INCREF(value)
        PyTuple_SET_ITEM(found, place, value)
    return found

# The tuples with names as twins read them: by their places, where Python would look for a name in the class.
# A variable of these types is never None: that is not looked for.
from cpython.tuple cimport PyTuple_GET_ITEM


cdef extern from "Python.h":
    ctypedef class duramen.metadata.claims.Claim [object PyTupleObject, check_size ignore]:
        @property
        cdef inline str value(self):
            return <str> PyTuple_GET_ITEM(self, 0)

        @property
        cdef inline str source(self):
            return <str> PyTuple_GET_ITEM(self, 1)

        @property
        cdef inline str of(self):
            return <str> PyTuple_GET_ITEM(self, 2)

        @property
        cdef inline object node(self):
            return <object> PyTuple_GET_ITEM(self, 3)

        @property
        cdef inline bint is_name(self) except -1:
            return <object> PyTuple_GET_ITEM(self, 4)

        @property
        cdef inline str url(self):
            return <str> PyTuple_GET_ITEM(self, 5)

        @property
        cdef inline str kind(self):
            return <str> PyTuple_GET_ITEM(self, 6)

    ctypedef class duramen.metadata.claims.Author [object PyTupleObject, check_size ignore]:
        @property
        cdef inline str name(self):
            return <str> PyTuple_GET_ITEM(self, 0)

        @property
        cdef inline str kind(self):
            return <str> PyTuple_GET_ITEM(self, 1)

        @property
        cdef inline str url(self):
            return <str> PyTuple_GET_ITEM(self, 2)

    ctypedef class duramen.metadata.claims.Found [object PyTupleObject, check_size ignore]:
        @property
        cdef inline object value(self):
            return <object> PyTuple_GET_ITEM(self, 0)

        @property
        cdef inline str source(self):
            return <str> PyTuple_GET_ITEM(self, 1)

        @property
        cdef inline double confidence(self) except? -1:
            return <object> PyTuple_GET_ITEM(self, 2)

    ctypedef class duramen.metadata.options.Option [object PyTupleObject, check_size ignore]:
        @property
        cdef inline object value(self):
            return <object> PyTuple_GET_ITEM(self, 0)

        @property
        cdef inline object signs(self):
            return <object> PyTuple_GET_ITEM(self, 1)

        @property
        cdef inline tuple sources(self):
            return <tuple> PyTuple_GET_ITEM(self, 2)

        @property
        cdef inline object node(self):
            return <object> PyTuple_GET_ITEM(self, 3)

    ctypedef class duramen.metadata.options.Setting [object PyTupleObject, check_size ignore]:
        @property
        cdef inline object headline(self):
            return <object> PyTuple_GET_ITEM(self, 0)

        @property
        cdef inline str kind(self):
            return <str> PyTuple_GET_ITEM(self, 1)

        @property
        cdef inline bint is_dated(self) except -1:
            return <object> PyTuple_GET_ITEM(self, 2)

        @property
        cdef inline bint has_long_headline(self) except -1:
            return <object> PyTuple_GET_ITEM(self, 3)

        @property
        cdef inline tuple sites(self):
            return <tuple> PyTuple_GET_ITEM(self, 4)

        @property
        cdef inline str brand(self):
            return <str> PyTuple_GET_ITEM(self, 5)

        @property
        cdef inline str path(self):
            return <str> PyTuple_GET_ITEM(self, 6)

        @property
        cdef inline str address_kind(self):
            return <str> PyTuple_GET_ITEM(self, 7)

        @property
        cdef inline tuple month(self):
            return <tuple> PyTuple_GET_ITEM(self, 8)

        @property
        cdef inline str lang(self):
            return <str> PyTuple_GET_ITEM(self, 9)

        @property
        cdef inline object today(self):
            return <object> PyTuple_GET_ITEM(self, 10)

        @property
        cdef inline Py_ssize_t length(self) except? -1:
            return <object> PyTuple_GET_ITEM(self, 11)

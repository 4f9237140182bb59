# cython: boundscheck=False, wraparound=False
"""Types of `_lexbor.pyx`, and its functions on bytes."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy

ctypedef void* Node
ctypedef const char* Bytes
ctypedef Node (*NodeFunction)(Node) noexcept nogil
ctypedef size_t (*IdFunction)(Node) noexcept nogil
ctypedef int (*TypeFunction)(Node) noexcept nogil
ctypedef Bytes (*BytesFunction)(Node, size_t*) noexcept nogil
ctypedef void* (*FreeFunction)(Node, Bytes) noexcept nogil

cdef struct Value:
    Bytes data  # NULL: the element has no such attribute, or the attribute has no value
    size_t size

cdef enum:
    ELEMENT_NODE = 1  # the numbers of the DOM standard
    TEXT_NODE = 3
    STANDARD_TAGS = 256  # larger tag ids are addresses of names, valid in one document
    SHARED_NUMBERS = 16_384
    MAX_SHARED_SPACES = 64  # characters
    MAX_COMBINED = 8  # attributes
    MAX_PROBES_PER_NODE = 8  # in the table of combinations; one or two are usual
    VALUE_SLOTS = 256  # a power of two
    NAME_SLOTS = 512  # likewise
    MAX_WORD_CHARS = 32
    UNSURE = 128  # the constants of `lexbor.py`
    MAX_NAME_CHARS = 300


cdef inline str decode(Bytes data, size_t size):
    return PyUnicode_DecodeUTF8(data, size, "replace")


cdef inline unsigned char lower(unsigned char letter) noexcept nogil:
    return letter + 32 if b"A" <= letter <= b"Z" else letter


cdef inline bint starts_with(Bytes data, Bytes word, size_t size) noexcept nogil:
    """Whether so many bytes are those of a word in lower case; capitals count as small letters."""
    cdef size_t at
    for at in range(size):
        if lower(data[at]) != <unsigned char> word[at]:
            return False
    return True


cdef inline bint contains(Value value, Bytes word, size_t size) noexcept nogil:
    """Whether a word in lower case is somewhere in a value; capitals count as small letters."""
    cdef size_t at = 0
    while at + size <= value.size:
        if starts_with(value.data + at, word, size):
            return True
        at += 1
    return False


cdef inline bint is_equal(Value name, Bytes wanted, size_t size) noexcept nogil:
    """Whether the name of an attribute, in any case, is this one in lower case. Most have another length."""
    return name.size == size and starts_with(name.data, wanted, size)


cdef inline bint are_equal(const Value* values, const Value* others, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t at
    for at in range(count):
        if values[at].size != others[at].size or (values[at].data == NULL) != (others[at].data == NULL):
            return False
        if values[at].size and memcmp(values[at].data, others[at].data, values[at].size) != 0:
            return False
    return True


cdef inline uint64_t hash_values(const Value* values, Py_ssize_t count) noexcept nogil:
    cdef uint64_t hashed = 0, word
    cdef Py_ssize_t index
    cdef size_t at
    for index in range(count):
        hashed = (hashed ^ values[index].size ^ (values[index].data == NULL)) * 0x9E3779B97F4A7C15ULL
        at = 0
        while at < values[index].size:  # eight bytes at a time
            word = 0
            memcpy(&word, values[index].data + at, min(<size_t> 8, values[index].size - at))
            hashed = (hashed ^ word) * 0x9E3779B97F4A7C15ULL
            hashed ^= hashed >> 32
            at += 8
    return hashed

# cython: boundscheck=False, wraparound=False
"""The twin of `characters.py`: one pass over the characters, and no string for each word."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ

cdef extern from "Python.h":
    str PyUnicode_New(Py_ssize_t, Py_UCS4)
    str PyUnicode_Substring(str, Py_ssize_t, Py_ssize_t)
    bint PyUnicode_IS_ASCII(str)

cdef enum:
    SPACE = 32
    NEVER = 0  # in a tidy string
    ALWAYS = 1  # whatever stands beside it

cdef unsigned char[128] said_for
cdef unsigned char[128] stands
cdef int code
for code in range(128):
    said_for[code] = ord(chr(code).lower()) if chr(code).isalnum() or chr(code) == "_" else SPACE
    stands[code] = SPACE if code == SPACE else NEVER if not chr(code).isprintable() or chr(code) in "&<" else ALWAYS


cpdef str ascii_key(str value):
    cdef Py_ssize_t length = len(value), size = 0, place
    cdef const unsigned char* letters = <const unsigned char*> PyUnicode_DATA(value)
    cdef unsigned char* written
    cdef unsigned char said
    cdef bint is_after_space = True
    if not PyUnicode_IS_ASCII(value):
        raise ValueError("a character that is not of ASCII")
    cdef str found = PyUnicode_New(length, 127)
    written = <unsigned char*> PyUnicode_DATA(found)
    for place in range(length):
        said = said_for[letters[place]]
        written[size] = said
        size += said != SPACE or not is_after_space
        is_after_space = said == SPACE
    if size and is_after_space:
        size -= 1
    return found if size == length else PyUnicode_Substring(found, 0, size)


cpdef bint is_tidy(str value) except -1:
    cdef int kind = PyUnicode_KIND(value)
    cdef void* data = PyUnicode_DATA(value)
    cdef Py_ssize_t place
    cdef Py_UCS4 character, before = SPACE
    if PyUnicode_IS_ASCII(value):
        return are_tidy(<const unsigned char*> data, len(value))
    for place in range(len(value)):
        character = PyUnicode_READ(kind, data, place)
        if character < 128:
            if stands[character] == NEVER or (character == SPACE and before == SPACE):
                return False
        elif not character.isprintable():  # of spaces only the plain one is
            return False
        before = character
    return before != SPACE


cdef bint are_tidy(const unsigned char* letters, Py_ssize_t length) noexcept:
    cdef Py_ssize_t place
    cdef unsigned char how
    for place in range(length):
        how = stands[letters[place]]
        if how != ALWAYS and (how == NEVER or place == 0 or letters[place - 1] == SPACE):
            return False
    return length > 0 and letters[length - 1] != SPACE

# cython: boundscheck=False, wraparound=False
"""The twin of `json_scan.py`, which makes only what is asked for.

What it leaves out it looks through by the same rules: a text is refused where Python's decoder refuses it. Whatever is
unusual (a text that is broken, a name with an escape in it, a number that is more than a few digits) it gives to the
decoder.
"""

from cpython.dict cimport PyDict_SetItem
from cpython.ref cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.string cimport memchr, memcmp

from json import JSONDecoder
from json.decoder import scanstring

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_FindChar(str, Py_UCS4, Py_ssize_t, Py_ssize_t, int) except -2
    str PyUnicode_Substring(str, Py_ssize_t, Py_ssize_t)

cdef extern from *:
    """
    /* One bit tells the two brackets apart. In rounds of 255 the sum of each lane fits a byte. */
    #ifdef __GNUC__
    __attribute__((optimize("O3")))
    #endif
    static Py_ssize_t count_brackets(const unsigned char* data, Py_ssize_t size) {
        Py_ssize_t found = 0, at = 0;
        while (at + 32 <= size) {
            unsigned char lanes[32] = {0};
            for (int round = 0; round < 255 && at + 32 <= size; round++, at += 32)
                for (int lane = 0; lane < 32; lane++) lanes[lane] += (data[at + lane] | 32) == '{';
            for (int lane = 0; lane < 32; lane++) found += lanes[lane];
        }
        for (; at < size; at++) found += (data[at] | 32) == '{';
        return found;
    }
    """
    Py_ssize_t count_brackets(const unsigned char*, Py_ssize_t) noexcept

cdef enum:
    SLOTS = 128  # several times as many as names, so that most others are told from them by an empty slot
    DEEPEST = 200  # what calls itself for each level stops here, as `json_repair` does
    MOST_DIGITS = 18  # of a number that is passed over: Python refuses to read some that are longer

ctypedef PyObject* Name

cdef struct Reading:
    int kind
    void* data
    Py_ssize_t length
    Py_ssize_t at
    Py_ssize_t escape  # where the next backslash stands, from wherever it was last looked for

cdef object whole = vars(JSONDecoder(strict=False))["scan_once"]


class Unusual(ValueError):
    """What Python's decoder should see."""


cdef inline Py_UCS4 letter(Reading* now, Py_ssize_t at) noexcept:
    return PyUnicode_READ(now.kind, now.data, at) if at < now.length else 0


cdef inline Py_UCS4 after_blanks(Reading* now) noexcept:
    cdef Py_UCS4 found = letter(now, now.at)
    while found == 32 or found == 10 or found == 13 or found == 9:
        now.at += 1
        found = letter(now, now.at)
    return found


cdef bint is_next(Reading* now, const char* word, Py_ssize_t size) noexcept:
    """Pass over a word, if it comes next."""
    cdef Py_ssize_t place
    for place in range(size):
        if letter(now, now.at + place) != <unsigned char> word[place]:
            return False
    now.at += size
    return True


cdef bint is_over(Reading* now, Py_UCS4 closing) noexcept:
    """Pass over a bracket that opens, and over the one that closes, if it comes next."""
    now.at += 1
    if after_blanks(now) != closing:
        return False
    now.at += 1
    return True


cdef Py_ssize_t find(str text, Reading* now, Py_UCS4 what, Py_ssize_t start) except -2:
    """Where a character stands next; -1 where it does not."""
    cdef const char* found
    if now.kind != 1:
        return PyUnicode_FindChar(text, what, start, now.length, 1)
    if start >= now.length:
        return -1
    found = <const char*> memchr(<const char*> now.data + start, what, now.length - start)
    return -1 if found == NULL else found - <const char*> now.data


cdef Py_ssize_t end_of_string(str text, Reading* now, Py_ssize_t start) except -1:
    """Where the string ends that begins here; `now.escape` lies beyond the end, or is the first escape in it."""
    cdef Py_ssize_t end = find(text, now, u'"', start)
    if end < 0:
        raise Unusual
    if now.escape < start:
        find_escape(text, now, start)
    return end


cdef int find_escape(str text, Reading* now, Py_ssize_t start) except -1:
    now.escape = find(text, now, u"\\", start)
    if now.escape < 0:
        now.escape = now.length
    return 0


cdef Py_ssize_t end_of_escape(Reading* now) except -1:
    """Where the text goes on after an escape."""
    cdef Py_ssize_t place
    cdef Py_UCS4 what = letter(now, now.escape + 1)
    if what != u"u":
        if what not in u'"\\/bfnrt':
            raise Unusual
        return now.escape + 2
    for place in range(now.escape + 2, now.escape + 6):
        what = letter(now, place)
        if not (u"0" <= what <= u"9" or u"a" <= what <= u"f" or u"A" <= what <= u"F"):
            raise Unusual
    return now.escape + 6


cdef object string(str text, Reading* now, bint is_asked):
    cdef Py_ssize_t start = now.at + 1, end = end_of_string(text, now, start), at
    if end > now.escape:
        if is_asked:
            found, now.at = scanstring(text, start, False)
            return found
        while end > now.escape:
            at = end_of_escape(now)
            find_escape(text, now, at)
            if end < at:
                end = end_of_string(text, now, at)
    now.at = end + 1
    return PyUnicode_Substring(text, start, end) if is_asked else None


cdef bint is_few_digits(Reading* now) noexcept:
    """Pass over a number, if it is nothing but a few digits."""
    cdef Py_ssize_t at = now.at
    cdef Py_UCS4 after = letter(now, at)
    if after == u"0":
        return False
    while u"0" <= after <= u"9":
        at += 1
        after = letter(now, at)
    if not 0 < at - now.at <= MOST_DIGITS or after in u".eE":
        return False
    now.at = at
    return True


def brackets(str text not None):
    # Of characters that are wider than a byte every byte is looked at: some look like brackets and are none.
    return count_brackets(<const unsigned char*> PyUnicode_DATA(text), PyUnicode_KIND(text) * len(text))


cdef class Scanner:
    cdef readonly frozenset names  # which keep alive what the slots point to
    cdef Name[SLOTS] slots

    def __cinit__(self, frozenset names):
        cdef Py_ssize_t slot
        if 2 * len(names) > SLOTS:
            raise ValueError("too many names at once")
        self.names = names
        for name in names:
            if not name or not (<str> name).isascii():
                raise ValueError(f"a name is to be of ASCII: {name!r}")
            slot = slot_of(ord(name[0]), ord(name[len(name) - 1]), len(name))
            while self.slots[slot] != NULL:
                slot = (slot + 1) & (SLOTS - 1)
            self.slots[slot] = <Name> name

    def scan(self, str text, Py_ssize_t at):
        cdef Reading now
        now.kind, now.data, now.length = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text)
        now.at, now.escape = at, -1
        try:
            found = self.value(text, &now, letter(&now, at), True, 0)
        except Unusual:
            return whole(text, at)
        return found, now.at

    cdef object value(self, str text, Reading* now, Py_UCS4 first, bint is_asked, int depth):
        if first == u'"':
            return string(text, now, is_asked)
        if first == u"{":
            return self.members(text, now, is_asked, depth + 1)
        if first == u"[":
            return self.items(text, now, is_asked, depth + 1)
        if first == u"n" and is_next(now, b"null", 4):
            return None
        if first == u"t" and is_next(now, b"true", 4):
            return True
        if first == u"f" and is_next(now, b"false", 5):
            return False
        if not is_asked and is_few_digits(now):
            return None
        try:
            found, now.at = whole(text, now.at)
        except StopIteration:
            raise Unusual from None
        return found

    cdef dict members(self, str text, Reading* now, bint is_asked, int depth):
        cdef dict found = {} if is_asked else None
        cdef Name name
        cdef Py_ssize_t start, end
        cdef Py_UCS4 first
        if depth > DEEPEST:
            raise Unusual
        if is_over(now, u"}"):
            return found
        first = after_blanks(now)
        while first == u'"':
            start = now.at + 1
            end = end_of_string(text, now, start)
            if end > now.escape:
                raise Unusual
            name = self.asked(now, start, end) if is_asked else NULL
            now.at = end + 1
            if after_blanks(now) != u":":
                raise Unusual
            now.at += 1
            value = self.value(text, now, after_blanks(now), name != NULL, depth)
            if name != NULL:
                PyDict_SetItem(found, <object> name, value)
            first = after_blanks(now)
            now.at += 1
            if first == u"}":
                return found
            if first != u",":
                break
            first = after_blanks(now)
        raise Unusual

    cdef list items(self, str text, Reading* now, bint is_asked, int depth):
        cdef list found = [] if is_asked else None
        cdef Py_UCS4 first
        if depth > DEEPEST:
            raise Unusual
        if is_over(now, u"]"):
            return found
        first = after_blanks(now)
        while True:
            value = self.value(text, now, first, is_asked, depth)
            if is_asked:
                found.append(value)
            first = after_blanks(now)
            now.at += 1
            if first == u"]":
                return found
            if first != u",":
                raise Unusual
            first = after_blanks(now)

    cdef Name asked(self, Reading* now, Py_ssize_t start, Py_ssize_t end) noexcept:
        """The name that stands here, if it is asked for."""
        cdef Py_ssize_t slot
        if start == end:
            return NULL
        slot = slot_of(letter(now, start), letter(now, end - 1), end - start)
        while self.slots[slot] != NULL:
            if is_here(now, start, end, <str> self.slots[slot]):
                return self.slots[slot]
            slot = (slot + 1) & (SLOTS - 1)
        return NULL


cdef inline Py_ssize_t slot_of(long first, long last, Py_ssize_t length) noexcept:
    return (first + 5 * last + 11 * length) & (SLOTS - 1)


cdef inline bint is_here(Reading* now, Py_ssize_t start, Py_ssize_t end, str name) noexcept:
    cdef const unsigned char* letters = <const unsigned char*> PyUnicode_DATA(name)
    cdef Py_ssize_t place
    if len(name) != end - start:
        return False
    if now.kind == 1:
        return memcmp(<const char*> now.data + start, letters, end - start) == 0
    for place in range(end - start):
        if letter(now, start + place) != letters[place]:
            return False
    return True

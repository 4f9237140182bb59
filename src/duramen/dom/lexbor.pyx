# cython: boundscheck=False, wraparound=False
"""The twin of `walk.py`, which asks Lexbor itself.

selectolax makes a Python object of every node that it is asked about. Its library exports Lexbor's own functions, too:
those are called here, found by their names in the library that is loaded already. No layout of Lexbor's structures is
taken for granted, only the functions of its interface; where a node keeps what they tell is learnt on a page that is
known, once, and read there from then on. Where a name is missing, or what Lexbor says of a page is not what selectolax
says of it, the import fails and `walk.py` is what runs.
"""

from cpython cimport array
from cpython.dict cimport PyDict_GetItem
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF, PyObject
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport (
    PyUnicode_AsUTF8AndSize,
    PyUnicode_DATA,
    PyUnicode_DecodeUTF8,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from libc.stdint cimport uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset
from posix.dlfcn cimport RTLD_NOW, dlopen, dlsym

import array
from sys import intern

from selectolax import lexbor
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

cdef extern from *:
    """
    /* In rounds of 255 the sum of each lane fits a byte, and the compiler takes many lanes at once. */
    #ifdef __GNUC__
    __attribute__((optimize("O3")))
    #endif
    static Py_ssize_t count_byte(const unsigned char* data, Py_ssize_t size, unsigned char byte) {
        Py_ssize_t found = 0, at = 0;
        for (; at + 255 * 32 <= size; at += 255 * 32) {
            unsigned char lanes[32] = {0};
            for (int round = 0; round < 255; round++)
                for (int lane = 0; lane < 32; lane++) lanes[lane] += data[at + 32 * round + lane] == byte;
            for (int lane = 0; lane < 32; lane++) found += lanes[lane];
        }
        for (; at < size; at++) found += data[at] == byte;
        return found;
    }

    /* The ranges of the second byte are those of table 3-7 of the Unicode Standard. */
    static int are_utf8(const unsigned char* data, Py_ssize_t size) {
        Py_ssize_t at = 0;
        while (at < size) {
            unsigned char lead = data[at++], low = 0x80, high = 0xbf;
            int more;
            if (lead < 0x80) {
                unsigned long long word;
                while (at + 8 <= size && (memcpy(&word, data + at, 8), !(word & 0x8080808080808080ULL))) at += 8;
                continue;
            }
            if (lead >= 0xc2 && lead <= 0xdf) more = 1;
            else if (lead >= 0xe0 && lead <= 0xef) more = 2;
            else if (lead >= 0xf0 && lead <= 0xf4) more = 3;
            else return 0;
            if (lead == 0xe0) low = 0xa0;
            else if (lead == 0xed) high = 0x9f;
            else if (lead == 0xf0) low = 0x90;
            else if (lead == 0xf4) high = 0x8f;
            for (; more; more--, low = 0x80, high = 0xbf)
                if (at >= size || data[at] < low || data[at++] > high) return 0;
        }
        return 1;
    }
    """
    Py_ssize_t count_byte(const unsigned char* data, Py_ssize_t size, unsigned char byte) nogil
    bint are_utf8(const unsigned char* data, Py_ssize_t size) nogil

ctypedef void* Node
ctypedef const char* Bytes
ctypedef PyObject* Known

cdef extern from "Python.h":
    # Of addresses, which Cython's own declarations make new references of.
    Known PyList_GET_ITEM(list, Py_ssize_t) noexcept
    void put_known "PyList_SET_ITEM"(list, Py_ssize_t, Known) noexcept
    void keep "Py_INCREF"(Known) noexcept
    void PyObject_GC_UnTrack(object) noexcept

ctypedef Node (*Step)(Node) noexcept nogil
ctypedef size_t (*Tag)(Node) noexcept nogil
ctypedef int (*Kind)(Node) noexcept nogil
ctypedef Bytes (*Told)(Node, size_t*) noexcept nogil

cdef struct Text:
    Bytes data
    size_t length

cdef struct Value:
    Bytes data  # NULL where there is none
    size_t size

cdef enum:
    BLANKS = 64  # white space that is longer is not looked for
    COLUMNS = 8  # attributes that can be asked about at once
    REMEMBERED = 64

cdef void* _library = dlopen(lexbor.__file__.encode(), RTLD_NOW)

cdef void* _named(str name) except NULL:
    cdef void* found = NULL if _library == NULL else dlsym(_library, name.encode())
    if found == NULL:
        raise ImportError(f"selectolax does not export {name}")
    return found

cdef Step told_next = <Step> _named("lxb_dom_node_next_noi")
cdef Step told_child = <Step> _named("lxb_dom_node_first_child_noi")
cdef Step told_parent = <Step> _named("lxb_dom_node_parent_noi")
cdef Step told_attribute = <Step> _named("lxb_dom_element_first_attribute_noi")
cdef Step told_next_attribute = <Step> _named("lxb_dom_element_next_attribute_noi")
cdef Tag told_tag = <Tag> _named("lxb_dom_node_tag_id_noi")
cdef Kind told_kind = <Kind> _named("lxb_dom_node_type_noi")
cdef Told element_name = <Told> _named("lxb_dom_element_qualified_name")
cdef Told attribute_name = <Told> _named("lxb_dom_attr_qualified_name")
cdef Told local_name = <Told> _named("lxb_dom_attr_local_name_noi")
cdef Told attribute_value = <Told> _named("lxb_dom_attr_value_noi")

cdef str TEXT = intern("#text")  # one object with that of all tables of tags
cdef str CONTENT = "content"
cdef tuple NAMES = ("property", "name", "itemprop", "http-equiv")
cdef enum:
    ELEMENT_KIND = 1  # as the DOM numbers them
    TEXT_KIND = 3
    STANDARD_TAGS = 256
cdef int _WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)
cdef array.array _NUMBERED = array.array("q")
cdef list _NAMES = [None] * STANDARD_TAGS
cdef dict _NUMBER_OF = {}
cdef list _NUMBERS = list(range(16_384))  # made once: most pages have no more nodes, and all their arrays share them


cdef inline object number(Py_ssize_t value):
    return _NUMBERS[value] if 0 <= value < 16_384 else value


cdef inline str decoded(Bytes data, size_t length):
    return PyUnicode_DecodeUTF8(data, length, "replace")


cdef inline bint is_named(Node attribute, Bytes name, size_t length) noexcept nogil:
    """Whether this is the attribute's name, in whatever case; `name` is in lower case."""
    cdef size_t own = 0, place
    cdef Bytes given = attribute_name(attribute, &own)
    cdef char letter
    if given == NULL or own != length:
        return False
    for place in range(length):
        letter = given[place]
        if letter != name[place] and not (b"A" <= letter <= b"Z" and letter + 32 == name[place]):
            return False
    return True


cdef inline bint is_space(char letter) noexcept nogil:
    return letter == 32 or 9 <= letter <= 13


cdef size_t after_word(Bytes text, size_t size, size_t at, Bytes word, size_t length) noexcept nogil:
    """Where a text goes on after a word, in lower case, that stands there in whatever case; 0 where it does not."""
    cdef size_t place
    cdef char letter
    if at + length > size:
        return 0
    for place in range(length):
        letter = text[at + place]
        if letter != word[place] and not (b"A" <= letter <= b"Z" and letter + 32 == word[place]):
            return 0
    return at + length


cdef size_t after_spaces(Bytes text, size_t size, size_t at) noexcept nogil:
    while at < size and is_space(text[at]):
        at += 1
    return at


cdef bint declares(Bytes style, size_t size, size_t at, Bytes name, size_t length, Bytes value, size_t long) noexcept nogil:
    at = after_word(style, size, at, name, length)
    if not at:
        return False
    at = after_spaces(style, size, at)
    if at >= size or style[at] != b":":
        return False
    return after_word(style, size, after_spaces(style, size, at + 1), value, long) != 0


cdef bint hides(Bytes style, size_t size) noexcept nogil:
    """Whether a style hides, as the expression in `hiding.py` says."""
    cdef size_t at = 0
    while True:
        at = after_spaces(style, size, at)
        if declares(style, size, at, "display", 7, "none", 4) or declares(style, size, at, "visibility", 10, "hidden", 6):
            return True
        while at < size and style[at] != b";":
            at += 1
        if at >= size:
            return False
        at += 1


cdef bint holds(Value value, Bytes part, size_t length) noexcept nogil:
    """Whether a part, which is not empty, stands in a value."""
    cdef Bytes at = value.data
    cdef Bytes end = value.data + value.size
    while <size_t> (end - at) >= length:
        at = <Bytes> memchr(at, part[0], end - at - length + 1)
        if at == NULL:
            return False
        if memcmp(at, part, length) == 0:
            return True
        at += 1
    return False


cdef bint is_streamed(Value identity) noexcept nogil:
    cdef size_t place
    cdef char letter
    if identity.size < 3 or identity.data[0] != b"S" or identity.data[1] != b":":
        return False
    for place in range(2, identity.size):
        letter = identity.data[place]
        if not (b"0" <= letter <= b"9" or b"a" <= letter <= b"f"):
            return False
    return True


cdef enum:
    SEARCHED = 24  # words of memory, from the beginning of a node on

cdef bytes _KNOWN = b"a text that is known, of forty-one bytes."
cdef bytes _SAMPLE = (
    b"<!doctype html><title>a</title><!-- b --><p c=1 d=2 e=3>f<b g>h</b>i<i></i><br><!-- j -->k<p><em l>m</em>n<ul><li>o"
    b"<li>" + _KNOWN + b"</ul><svg q=1 r=2><a s=3>t</a></svg>u"
)


cdef class Sample:
    """A small page, by which it is learnt where Lexbor keeps what its functions tell of a node.

    They do nothing but read it there, and to call them for every node costs several times as much.
    """

    cdef object parser
    cdef list nodes, elements, attributes  # their addresses

    def __cinit__(self):
        self.parser = LexborHTMLParser(_SAMPLE)
        self.nodes, self.elements, self.attributes = [], [], []
        cdef list waiting = [self.parser.root.mem_id]
        cdef Node node, other
        while waiting:
            node = <Node> <uintptr_t> waiting.pop()
            self.nodes.append(<uintptr_t> node)
            if told_kind(node) == ELEMENT_KIND:
                self.elements.append(<uintptr_t> node)
                other = told_attribute(node)
                while other != NULL:
                    self.attributes.append(<uintptr_t> other)
                    other = told_next_attribute(other)
            other = told_child(node)
            while other != NULL:
                waiting.append(<uintptr_t> other)
                other = told_next(other)

    cdef size_t place_of(self, Step told, list nodes) except 0:
        cdef size_t place
        for place in range(1, SEARCHED):
            if all([(<Node*> <uintptr_t> node)[place] == told(<Node> <uintptr_t> node) for node in nodes]):
                return place * sizeof(Node)
        raise ImportError("a node does not keep what is next to it where it could be found")

    cdef size_t place_of_tag(self) except 0:
        cdef size_t place
        cdef list nodes = self.elements + self.attributes
        for place in range(1, SEARCHED):
            if all([(<size_t*> <uintptr_t> node)[place] == told_tag(<Node> <uintptr_t> node) for node in nodes]):
                return place * sizeof(size_t)
        raise ImportError("a node does not keep its tag where it could be found")

    cdef size_t place_of_kind(self) except 0:
        cdef size_t place
        for place in range(1, 2 * SEARCHED):
            if all([(<int*> <uintptr_t> node)[place] == told_kind(<Node> <uintptr_t> node) for node in self.nodes]):
                return place * sizeof(int)
        raise ImportError("a node does not keep its kind where it could be found")

    cdef size_t place_of_text(self) except 0:
        """Where the address of a text stands, and behind it the length: what no function tells without copying it."""
        cdef size_t* words = <size_t*> <uintptr_t> self.parser.css("li")[1].first_child.mem_id
        cdef size_t place
        for place in range(1, SEARCHED):
            if words[place + 1] == <size_t> len(_KNOWN) and memcmp(<void*> words[place], <char*> _KNOWN, len(_KNOWN)) == 0:
                return place * sizeof(size_t)
        raise ImportError("a text node does not keep its text where it could be found")


cdef Sample _sample = Sample()
cdef size_t _NEXT_AT = _sample.place_of(told_next, _sample.nodes)
cdef size_t _CHILD_AT = _sample.place_of(told_child, _sample.nodes)
cdef size_t _PARENT_AT = _sample.place_of(told_parent, _sample.nodes)
cdef size_t _ATTRIBUTE_AT = _sample.place_of(told_attribute, _sample.elements)
cdef size_t _NEXT_ATTRIBUTE_AT = _sample.place_of(told_next_attribute, _sample.attributes)
cdef size_t _TAG_AT = _sample.place_of_tag()
cdef size_t _KIND_AT = _sample.place_of_kind()
cdef size_t _TEXT_AT = _sample.place_of_text()


cdef inline Node next_(Node node) noexcept nogil:
    return (<Node*> (<char*> node + _NEXT_AT))[0]


cdef inline Node first_child(Node node) noexcept nogil:
    return (<Node*> (<char*> node + _CHILD_AT))[0]


cdef inline Node parent_of(Node node) noexcept nogil:
    return (<Node*> (<char*> node + _PARENT_AT))[0]


cdef inline Node first_attribute(Node element) noexcept nogil:
    return (<Node*> (<char*> element + _ATTRIBUTE_AT))[0]


cdef inline Node next_attribute(Node attribute) noexcept nogil:
    return (<Node*> (<char*> attribute + _NEXT_ATTRIBUTE_AT))[0]


cdef inline size_t tag_of(Node node) noexcept nogil:
    return (<size_t*> (<char*> node + _TAG_AT))[0]


cdef inline int kind_of(Node node) noexcept nogil:
    return (<int*> (<char*> node + _KIND_AT))[0]


# An SVG has attributes of other names that are the same but for a prefix: xlink:href, xml:lang.
_FOREIGN = frozenset("actuate arcrole href role show title type lang space xlink".split())


cdef class Wanted:
    """The attributes that are asked for. Lexbor has numbers for names; what they mean here is told once for each."""

    cdef tuple names  # as bytes
    cdef Py_ssize_t columns
    cdef Bytes[COLUMNS] letters
    cdef size_t[COLUMNS] lengths
    cdef bint[COLUMNS] is_foreign
    cdef bint any_prefix
    cdef size_t[REMEMBERED] numbers
    cdef signed char[REMEMBERED] meanings
    cdef unsigned int seen
    """Which columns the element has that was read last, as bits."""
    cdef unsigned int all

    def __cinit__(self, tuple names):
        cdef Py_ssize_t column
        cdef bytes name
        if len(names) > COLUMNS:
            raise ValueError("too many attributes at once")
        self.names = tuple([one.encode() for one in names])
        self.columns = len(names)
        self.all = (1 << len(names)) - 1
        self.any_prefix = False
        for column in range(self.columns):
            name = self.names[column]
            self.letters[column] = name
            self.lengths[column] = len(name)
            self.is_foreign[column] = names[column] in _FOREIGN
            self.any_prefix |= b":" in name
        for column in range(REMEMBERED):
            self.numbers[column] = 0
            self.meanings[column] = -1

    cdef Py_ssize_t column_of(self, Node attribute) noexcept nogil:
        """Which of the wanted this is; −1 for any other."""
        cdef size_t number = tag_of(attribute), size = 0  # an attribute is a node, and its number stands where tags' do
        cdef Py_ssize_t slot = (number ^ (number >> 6)) & (REMEMBERED - 1), column
        cdef Bytes name
        if self.any_prefix:
            for column in range(self.columns):
                if is_named(attribute, self.letters[column], self.lengths[column]):
                    return column
            return -1
        if self.numbers[slot] != number:
            name = local_name(attribute, &size)
            self.numbers[slot] = number
            self.meanings[slot] = -1
            for column in range(self.columns):
                if size == self.lengths[column] and after_word(name, size, 0, self.letters[column], size):
                    self.meanings[slot] = column
        column = self.meanings[slot]
        if column >= 0 and self.is_foreign[column] and not is_named(attribute, self.letters[column], self.lengths[column]):
            return -1
        return column

    cdef void read(self, Node element, Value* values) noexcept nogil:
        """The values of an element, in the order of the names."""
        cdef Py_ssize_t column
        cdef Node attribute = NULL if element == NULL else first_attribute(element)
        for column in range(self.columns):
            values[column].data = NULL
            values[column].size = 0
        self.seen = 0
        while attribute != NULL:
            column = self.column_of(attribute)
            if column >= 0 and not self.seen & (1 << column):
                self.seen |= 1 << column
                values[column].data = attribute_value(attribute, &values[column].size)
                if self.seen == self.all:
                    return
            attribute = next_attribute(attribute)


cdef inline uint64_t hash_of(const Value* row, Py_ssize_t columns) noexcept nogil:
    cdef uint64_t told = 0, word
    cdef Py_ssize_t column
    cdef size_t at
    for column in range(columns):
        told = (told ^ row[column].size ^ (row[column].data == NULL)) * 0x9E3779B97F4A7C15ULL
        at = 0
        while at < row[column].size:
            word = 0
            memcpy(&word, row[column].data + at, min(8, row[column].size - at))
            told = (told ^ word) * 0x9E3779B97F4A7C15ULL
            told ^= told >> 32
            at += 8
    return told


cdef inline bint are_equal(const Value* row, const Value* other, Py_ssize_t columns) noexcept nogil:
    cdef Py_ssize_t column
    for column in range(columns):
        if row[column].size != other[column].size or (row[column].data == NULL) != (other[column].data == NULL):
            return False
        if row[column].size and memcmp(row[column].data, other[column].data, row[column].size) != 0:
            return False
    return True


cdef tuple told_by(const Value* row, Py_ssize_t columns):
    cdef Py_ssize_t column
    cdef tuple found = PyTuple_New(columns)
    cdef object value
    for column in range(columns):
        value = None if row[column].data == NULL else decoded(row[column].data, row[column].size)
        Py_INCREF(value)
        PyTuple_SET_ITEM(found, column, value)
    return found


cdef inline bint is_prefixed(Node attribute) noexcept nogil:
    cdef size_t local = 0, whole = 0
    local_name(attribute, &local)
    attribute_name(attribute, &whole)
    return whole != local


cdef str qualified(Node attribute):
    cdef size_t size = 0
    cdef Bytes name = attribute_name(attribute, &size)
    return decoded(name, size).lower()


cdef enum:
    UNSURE = 128
    LONGEST_NAME = 300
    WORDS = 512  # slots of a vocabulary: a power of two, and twice as many as it can have words
    NAMES_AT_ONCE = 128  # slots, likewise
    BEYOND = 255
    LONGEST_QUOTED = 32

cdef dict _NAMING = {"class": 1, "id": 1, "rel": 2}
cdef unsigned char[256] _SAID  # of a byte, the letter in lower case, or the figure; 0 for any other, BEYOND beyond ASCII
for _code in range(256):
    _SAID[_code] = BEYOND if _code >= 128 else ord(chr(_code).lower()) if chr(_code).isalnum() else 0


cdef class Names:
    cdef readonly frozenset names, usual  # whose memory is looked at
    cdef Value[NAMES_AT_ONCE] slots
    cdef Known[NAMES_AT_ONCE] strings  # of those that are usual

    def __cinit__(self, frozenset names, frozenset usual=frozenset()):
        cdef Py_ssize_t size = 0
        cdef Value value
        cdef size_t slot
        if 2 * len(names | usual) > NAMES_AT_ONCE:
            raise ValueError("too many names at once")
        self.names = names
        self.usual = usual - names
        for name in self.names | self.usual:
            if not name or not (<str> name).isascii():
                raise ValueError(f"a name is to be of ASCII: {name!r}")
            value.data = PyUnicode_AsUTF8AndSize(name, &size)
            value.size = size
            slot = self.slot_of(&value)
            while self.slots[slot].data != NULL:
                slot = (slot + 1) & (NAMES_AT_ONCE - 1)
            self.slots[slot] = value
        for name in self.usual:  # the very strings that the set keeps
            value.data = PyUnicode_AsUTF8AndSize(name, &size)
            value.size = size
            self.strings[self.find(&value)] = <Known> name

    def __contains__(self, name):
        return name in self.names

    cdef inline size_t slot_of(self, const Value* name) noexcept nogil:
        return (
            <unsigned char> name.data[0] + 5 * <unsigned char> name.data[name.size - 1] + 11 * name.size
        ) & (NAMES_AT_ONCE - 1)

    cdef Py_ssize_t find(self, const Value* name) noexcept nogil:
        """The slot of what stands in the page, if it is one of them; else -1."""
        cdef size_t slot
        if name.size == 0:
            return -1
        slot = self.slot_of(name)
        while self.slots[slot].data != NULL:
            if are_equal(&self.slots[slot], name, 1):
                return slot
            slot = (slot + 1) & (NAMES_AT_ONCE - 1)
        return -1


cdef class Vocabulary:
    """Words in lower case and what they tell, looked for in values (`walk.told_by`)."""

    cdef readonly dict words  # whose memory is looked at
    cdef Value[WORDS] slots
    cdef int[WORDS] meanings
    cdef size_t longest
    cdef bint[128] begins  # of a letter, whether a word begins with it

    def __cinit__(self, dict words):
        cdef Py_ssize_t size = 0
        cdef size_t place, slot
        cdef uint64_t hashed
        cdef Bytes letters
        if 2 * len(words) > WORDS:
            raise ValueError("too many words at once")
        self.words, self.longest = words, 0
        for word, means in words.items():
            if not (<str> word).isascii():  # a value that is not of ASCII is not looked through
                continue
            letters = PyUnicode_AsUTF8AndSize(word, &size)
            hashed = 0
            for place in range(<size_t> size):
                hashed = 31 * hashed + <unsigned char> letters[place]
            slot = hashed & (WORDS - 1)
            while self.slots[slot].data != NULL:
                slot = (slot + 1) & (WORDS - 1)
            self.slots[slot].data, self.slots[slot].size = letters, size
            self.meanings[slot] = means
            self.begins[<unsigned char> letters[0]] = True
            self.longest = max(self.longest, <size_t> size)

    cdef inline int meaning(self, Bytes word, size_t size, uint64_t hashed) noexcept nogil:
        """What a word tells, in whatever case it is; 0 where it is none of these."""
        cdef size_t slot = hashed & (WORDS - 1)
        if size == 0 or size > self.longest:
            return 0
        while self.slots[slot].data != NULL:
            if self.slots[slot].size == size and after_word(word, size, 0, self.slots[slot].data, size):
                return self.meanings[slot]
            slot = (slot + 1) & (WORDS - 1)
        return 0

    cdef int read(self, Value value) noexcept nogil:
        cdef size_t at, start = 0, part = 0  # of the word, and of its last part, which begins with a capital
        cdef uint64_t whole = 0, own = 0
        cdef unsigned char letter = 0, said
        cdef bint is_after_small = False
        cdef int told = 0
        for at in range(value.size + 1):
            letter = 0 if at == value.size else value.data[at]
            said = _SAID[letter]
            if said == BEYOND:
                return UNSURE
            if said == 0:
                told |= self.meaning(value.data + part, at - part, own)
                if start < part and self.meaning(value.data + start, at - start, whole):
                    told |= UNSURE
                start = part = at + 1
                whole = own = 0
            else:
                if said != letter and is_after_small:
                    told |= self.meaning(value.data + part, at - part, own)
                    part, own = at, 0
                whole = 31 * whole + said
                own = 31 * own + said
            is_after_small = b"a" <= letter <= b"z"
        return told


cdef struct Seen:
    # The elements of a page are called the same again and again: of values that share a place the last is remembered.
    Value[REMEMBERED] values
    int[REMEMBERED] told


cdef inline int meant_by(Vocabulary words, Value value, Seen* seen) noexcept nogil:
    cdef uint64_t first, last
    cdef size_t place
    if value.size < 8:
        return words.read(value)
    memcpy(&first, value.data, 8)
    memcpy(&last, value.data + value.size - 8, 8)
    place = ((first ^ 31 * last ^ value.size) * 0x9E3779B97F4A7C15ULL >> 58) & (REMEMBERED - 1)
    if not are_equal(&seen.values[place], &value, 1):
        seen.told[place] = words.read(value)
        seen.values[place] = value
    return seen.told[place]


cdef enum:
    NAMED  # what a name says: of a <meta>
    RELATED  # where a relation leads: of a link
    LINKED  # that JSON-LD stands here: of a <script>

cdef struct Remark:
    int kind
    Py_ssize_t node
    size_t tag  # as Lexbor numbers them
    Value name
    Value value


cdef struct Remarks:
    Remark* first
    Py_ssize_t count
    Py_ssize_t size  # room for so many


cdef bint add_remark(Remarks* remarks, Remark* remark) noexcept nogil:
    """Keep what an element remarks; False where memory is short."""
    cdef Remark* first
    if remarks.count == remarks.size:
        first = <Remark*> realloc(remarks.first, (2 * remarks.size + 64) * sizeof(Remark))
        if first == NULL:
            return False
        remarks.first = first
        remarks.size = 2 * remarks.size + 64
    remarks.first[remarks.count] = remark[0]
    remarks.count += 1
    return True


cdef class Elements:
    """The parser's own elements, by the numbers of their nodes; NULL for a text node."""

    cdef object parser  # whose memory the nodes are
    cdef list tags, hidden_nodes
    cdef Node* nodes
    cdef Remarks told
    cdef int* following  # of an element, the next of the same tag; 0 where it is the last
    cdef int[STANDARD_TAGS] first  # of each standard tag, so that its elements are found without a look at all others
    cdef int[STANDARD_TAGS] last
    cdef Py_ssize_t count

    def __cinit__(self, object parser, list tags):
        self.parser, self.tags, self.count, self.hidden_nodes = parser, tags, len(tags), []
        self.nodes = <Node*> malloc(max(1, self.count) * sizeof(Node))
        self.following = <int*> malloc(max(1, self.count) * sizeof(int))
        memset(self.first, 0xFF, sizeof(self.first))  # nowhere is −1
        if self.nodes == NULL or self.following == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)
        free(self.following)
        free(self.told.first)

    cdef inline void link(self, size_t tag, int node) noexcept:
        """Put an element at the end of those of its tag."""
        if self.first[tag] < 0:
            self.first[tag] = node
        else:
            self.following[self.last[tag]] = node
        self.last[tag] = node
        self.following[node] = 0

    cdef Node at(self, Py_ssize_t node) except? NULL:
        if node < 0:
            node += self.count
        if not 0 <= node < self.count:
            raise IndexError("no such node")
        return self.nodes[node]

    def __len__(self):
        return self.count

    def attributes(self, Py_ssize_t node):
        return attributes_of(self.at(node))

    def read(self, nodes):
        cdef Py_ssize_t node
        return [attributes_of(self.at(node)) for node in nodes]

    def values(self, str name, nodes):
        cdef Wanted wanted = Wanted((name,))
        cdef Value value
        cdef Py_ssize_t node
        cdef list found = []
        for node in nodes:
            wanted.read(self.at(node), &value)
            found.append(None if value.data == NULL else decoded(value.data, value.size))
        return found

    def containing(self, str part, str name, nodes):
        cdef Wanted wanted = Wanted((name,))
        cdef bytes letters = part.encode("utf-8", "surrogatepass")
        # What is no UTF-8 becomes this character only when it is decoded.
        cdef bint any_may = "\N{REPLACEMENT CHARACTER}" in part
        cdef Value value
        cdef Py_ssize_t node
        cdef str said
        cdef list found = []
        for node in nodes:
            wanted.read(self.at(node), &value)
            if value.data != NULL and (any_may or holds(value, letters, len(letters))):
                said = decoded(value.data, value.size)
                if part in said:
                    found.append((node, said))
        return found

    def combinations(self, tuple names, const long long[::1] nodes):
        cdef Wanted wanted = Wanted(names)
        cdef Py_ssize_t columns = wanted.columns, count = nodes.shape[0], place, column, slot, number, size = 64
        cdef list found = []
        cdef Value* row
        cdef Value* other
        cdef uint64_t told
        while size < 2 * count:
            size *= 2
        cdef array.array which = array.clone(_NUMBERED, count, zero=False)
        cdef long long* numbers = which.data.as_longlongs
        cdef Value* rows = <Value*> malloc((count + 1) * columns * sizeof(Value))
        cdef uint64_t* hashes = <uint64_t*> malloc((count + 1) * sizeof(uint64_t))
        cdef int* slots = <int*> calloc(size, sizeof(int))
        try:
            if rows == NULL or hashes == NULL or slots == NULL:
                raise MemoryError
            for place in range(count):
                row = rows + len(found) * columns
                wanted.read(self.at(nodes[place]), row)
                told = hash_of(row, columns)
                slot = told & (size - 1)
                while slots[slot]:
                    number = slots[slot] - 1
                    if hashes[number] == told and are_equal(row, rows + number * columns, columns):
                        break
                    slot = (slot + 1) & (size - 1)
                else:
                    number = len(found)
                    slots[slot] = number + 1
                    hashes[number] = told
                    found.append(told_by(row, columns))
                numbers[place] = number
        finally:
            free(rows)
            free(hashes)
            free(slots)
        return found, which

    def marked(self, Py_ssize_t start, frozenset tags, Vocabulary words, tells, list only=None):
        cdef Seen seen
        # A tag is one string wherever it stands. Lexbor has a number for each name of an attribute, but for a prefix. Of
        # those that share a slot the last is remembered.
        cdef Known[STANDARD_TAGS] known
        cdef bint[STANDARD_TAGS] is_wanted
        cdef size_t[REMEMBERED] numbers
        cdef int[REMEMBERED] meanings, columns
        cdef bint[REMEMBERED] may_be_prefixed
        cdef int mark, named, column
        cdef Py_ssize_t node, slot, place, count
        cdef size_t number_, letters, size = 0
        cdef Node element, attribute
        cdef Bytes name
        cdef Value value
        cdef Known tag
        cdef str said
        cdef list nodes = [], marks = []
        memset(&seen, 0, sizeof(seen))
        memset(known, 0, sizeof(known))
        memset(numbers, 0, sizeof(numbers))
        start = max(start, 0)
        count = self.count - start if only is None else len(only)
        for place in range(count):
            node = start + place if only is None else only[place]
            if not 0 <= node < self.count:
                raise IndexError("no such node")
            element = self.nodes[node]
            if element == NULL:
                continue
            tag = PyList_GET_ITEM(self.tags, node)
            slot = ((<uintptr_t> tag >> 4) ^ (<uintptr_t> tag >> 12)) & (STANDARD_TAGS - 1)
            if known[slot] != tag:
                known[slot] = tag
                is_wanted[slot] = <object> tag in tags
            mark, named, letters = 0, 0, 1
            attribute = first_attribute(element)
            while attribute != NULL:
                number_ = tag_of(attribute)
                column = (number_ ^ (number_ >> 6)) & (REMEMBERED - 1)
                if numbers[column] != number_:
                    name = local_name(attribute, &size)
                    said = decoded(name, size)
                    numbers[column] = number_
                    columns[column] = _NAMING.get(said, 0)
                    meanings[column] = tells(said)
                    may_be_prefixed[column] = said in _FOREIGN
                if columns[column]:
                    value.data = attribute_value(attribute, &value.size)
                    if columns[column] == 2:
                        if value.data != NULL and meant_by(words, value, &seen):
                            mark |= UNSURE
                    elif value.data != NULL:
                        named |= meant_by(words, value, &seen)
                        letters += value.size
                elif may_be_prefixed[column] and is_prefixed(attribute):
                    mark |= <int> tells(qualified(attribute))
                    attribute = next_attribute(attribute)
                    continue
                mark |= meanings[column]
                attribute = next_attribute(attribute)
            if named and letters > LONGEST_NAME:
                named = UNSURE
            mark |= named
            if mark or is_wanted[slot]:
                nodes.append(number(node))
                marks.append(mark)
        return nodes, marks

    def wording(self, Vocabulary words, str name, nodes):
        cdef Wanted wanted = Wanted((name,))
        cdef Value value
        cdef Py_ssize_t node
        cdef list found = []
        for node in nodes:
            wanted.read(self.at(node), &value)
            if value.size and words.read(value):
                found.append((number(node), decoded(value.data, value.size)))
        return found

    def selected(self, str css):
        cdef Py_ssize_t node
        cdef set chosen = {element.mem_id for element in self.parser.root.css(css)}
        cdef list found = []
        if chosen:
            for node in range(self.count):
                if self.nodes[node] != NULL and <uintptr_t> self.nodes[node] in chosen:
                    found.append(node)
        return found

    def hidden(self):
        return self.hidden_nodes.copy()

    def places(self, str tag):
        cdef object known = _NUMBER_OF.get(tag)
        if known is None:  # a name that a page made up, or that none has had yet
            return places(self.tags, tag)
        cdef int node = self.first[<int> known]
        cdef list found = []
        if node >= 0:
            found.append(number(node))
            while (node := self.following[node]) > 0:
                found.append(number(node))
        return found

    cdef inline bint is_of(self, Remark* remark, str tag, size_t known):
        """Whether a remark's element has a tag, which is `known` by that number, or is told by its name."""
        return remark.tag == known if known else self.tags[remark.node] == tag

    def remarks(self, but=frozenset()):
        cdef Names names = but if isinstance(but, Names) else None
        cdef Remark* remark = self.told.first
        cdef Remark* end = remark + self.told.count
        cdef Py_ssize_t slot
        cdef size_t known = _NUMBER_OF.get("meta", 0)
        cdef str name
        cdef list found = []
        while remark < end:
            if remark.kind == NAMED and self.is_of(remark, "meta", known):
                slot = -1 if names is None else names.find(&remark.name)
                if slot < 0:
                    name = decoded(remark.name.data, remark.name.size)
                    if names is None and name in but:
                        name = None
                else:
                    name = None if names.strings[slot] == NULL else <str> names.strings[slot]
                if name is not None:
                    found.append((number(remark.node), name, decoded(remark.value.data, remark.value.size)))
            remark += 1
        return found

    def linked_data(self):
        cdef size_t known = _NUMBER_OF.get("script", 0)
        cdef Remark* remark = self.told.first
        cdef Remark* end = remark + self.told.count
        cdef list found = []
        while remark < end:
            if remark.kind == LINKED and self.is_of(remark, "script", known):
                found.append(number(remark.node))
            remark += 1
        return found

    def related(self, str tag):
        cdef Remark* remark = self.told.first
        cdef Remark* end = remark + self.told.count
        cdef size_t known = _NUMBER_OF.get(tag, 0)
        cdef list found = []
        while remark < end:
            if remark.kind == RELATED and self.is_of(remark, tag, known):
                name = decoded(remark.name.data, remark.name.size)
                found.append((number(remark.node), name, decoded(remark.value.data, remark.value.size)))
            remark += 1
        return found


cdef bint is_hidden(unsigned int seen, const Value* values) noexcept nogil:
    """What `hiding.is_hidden` says of an element of which these of `_TELLING` are seen."""
    if seen & 1:
        if values[0].size == 11 and memcmp(values[0].data, <Bytes> "until-found", 11) == 0:
            return False
        return not is_streamed(values[2])
    return values[1].data != NULL and hides(values[1].data, values[1].size)


cdef dict attributes_of(Node element):
    cdef dict found = {}
    cdef size_t size = 0
    cdef Bytes value
    cdef str name
    cdef Node attribute = NULL if element == NULL else first_attribute(element)
    while attribute != NULL:
        value = attribute_name(attribute, &size)
        name = decoded(value, size)
        value = attribute_value(attribute, &size)
        found[name] = None if value == NULL else decoded(value, size)
        attribute = next_attribute(attribute)
    return found


cdef struct Record:
    Node node
    Py_ssize_t parent
    Py_ssize_t end
    size_t tag
    Text text
    bint is_text
    bint is_hidden


cdef struct Records:
    Record* first
    Py_ssize_t count
    Py_ssize_t size  # room for so many


cdef bint grow(Records* records) noexcept nogil:
    cdef Record* first = <Record*> realloc(records.first, 2 * records.size * sizeof(Record))
    if first == NULL:
        return False
    records.first = first
    records.size *= 2
    return True


cdef bint is_linked_data(Value of) noexcept nogil:
    """Whether a type is that of JSON-LD, in whatever case."""
    cdef size_t at
    for at in range(of.size):
        if of.data[at] == b"+" and at >= 2 and after_word(of.data, of.size, at - 2, "ld+json", 7):
            return True
    return False


cdef bint remark(Node element, Py_ssize_t node, Wanted wanted, int kind, Remarks* remarks) noexcept nogil:
    """Keep what an element says of the page, under the first name that it has; False where memory is short."""
    cdef Value[COLUMNS] values
    cdef Py_ssize_t column
    cdef Remark found
    wanted.read(element, values)
    if values[0].size > 0:
        for column in range(1, wanted.columns):
            if values[column].size > 0:
                found.kind, found.node, found.tag = kind, node, tag_of(element)
                found.name, found.value = values[column], values[0]
                return add_remark(remarks, &found)
    return True


cdef bint gather(
    Node root,
    Py_ssize_t most,
    Records* records,
    Wanted telling,
    Wanted naming,
    Wanted relating,
    Vocabulary relations,
    Remarks* remarks,
) noexcept nogil:
    """All elements and text nodes, in one pass over Lexbor's tree: to fetch a node from memory is what costs time.

    False where memory is short; where there are more than `most`, the rest is left.
    """
    cdef Node node = root, child
    cdef Py_ssize_t parent = -1
    cdef Record* record
    cdef Remark linked
    cdef Value[COLUMNS] values
    cdef Seen seen
    cdef int kind
    memset(&seen, 0, sizeof(seen))
    while True:
        kind = kind_of(node)
        child = NULL
        if kind == ELEMENT_KIND or kind == TEXT_KIND:
            if records.count == records.size and not grow(records):
                return False
            record = records.first + records.count
            records.count += 1
            record.node = node
            record.parent = parent
            record.end = records.count
            record.is_text = kind == TEXT_KIND
            if record.is_text:
                record.text = (<Text*> (<char*> node + _TEXT_AT))[0]
            else:
                record.tag = tag_of(node)
                telling.read(node, values)
                record.is_hidden = is_hidden(telling.seen, values)
                if telling.seen & 8 and values[3].size and meant_by(relations, values[3], &seen):
                    if not remark(node, records.count - 1, relating, RELATED, remarks):
                        return False
                if telling.seen & 16 and not remark(node, records.count - 1, naming, NAMED, remarks):
                    return False
                if telling.seen & 32 and is_linked_data(values[5]):
                    linked.kind, linked.node, linked.tag = LINKED, records.count - 1, record.tag
                    linked.name = linked.value = values[5]
                    if not add_remark(remarks, &linked):
                        return False
                child = first_child(node)
        if child != NULL:
            parent = records.count - 1
            node = child
            continue
        if records.count > most:
            return True
        while node != root and (child := next_(node)) == NULL:
            node = parent_of(node)
            records.first[parent].end = records.count
            parent = records.first[parent].parent
        if node == root:
            return True
        node = child


cdef inline void put(list items, Py_ssize_t place, Known item) noexcept:
    """Fill a place of a list that was made with room for all, and has nothing there yet."""
    keep(item)
    put_known(items, place, item)


cdef inline int put_number(list items, Py_ssize_t place, Py_ssize_t value) except -1:
    cdef object found
    if 0 <= value < 16_384:
        put(items, place, PyList_GET_ITEM(_NUMBERS, value))
    else:
        found = value
        put(items, place, <Known> found)
    return 0


cdef str tag_name(Node element, size_t tag):
    cdef size_t size = 0
    cdef Bytes name
    if tag < STANDARD_TAGS and _NAMES[tag] is not None:
        return _NAMES[tag]
    name = element_name(element, &size)
    found = decoded(name, size)
    if tag < STANDARD_TAGS:
        found = _NAMES[tag] = intern(found)  # as the tables of tags are: to look them up is to compare addresses
        _NUMBER_OF[found] = tag
    return found


cdef str told_text(Bytes data, size_t size, list blanks):
    """The text of a node. What stands between two tags is most often the same line break and the same spaces: the last
    text of each length that began so is at hand."""
    cdef str found
    cdef bint may_be_blank = 0 < size < BLANKS and (data[0] == 32 or data[0] == 10)
    if may_be_blank and blanks[size] is not None:
        found = <str> blanks[size]
        if memcmp(PyUnicode_DATA(found), data, size) == 0:
            return found
    found = decoded(data, size)
    if may_be_blank and <size_t> len(found) == size:  # all of it is ASCII
        blanks[size] = found
    return found


cdef tuple as_lists(object parser, Records* records, Remarks* remarks):
    cdef Py_ssize_t count = records.count, at
    cdef list tags = PyList_New(count), parents = PyList_New(count), ends = PyList_New(count), texts = PyList_New(count)
    cdef Elements elements = Elements(parser, tags)
    elements.told = remarks[0]
    remarks.first = NULL  # they are the elements' own now
    cdef list blanks = [None] * BLANKS
    cdef Record* record
    cdef str name, text, nothing = ""
    for at in range(count):
        record = records.first + at
        put_number(parents, at, record.parent)
        put_number(ends, at, record.end)
        if record.is_text:
            elements.nodes[at] = NULL
            put(tags, at, <Known> TEXT)
            text = nothing if record.text.data == NULL else told_text(record.text.data, record.text.length, blanks)
            put(texts, at, <Known> text)
        else:
            elements.nodes[at] = record.node
            name = tag_name(record.node, record.tag)
            put(tags, at, <Known> name)
            put(texts, at, <Known> nothing)
            if record.tag < STANDARD_TAGS:
                elements.link(record.tag, at)
            if record.is_hidden:
                elements.hidden_nodes.append(at)
    for items in (tags, parents, ends, texts):  # of strings and numbers, which the collector need not look through
        PyObject_GC_UnTrack(items)
    return tags, parents, ends, texts, elements


cdef Vocabulary _RELATIONS = Vocabulary({"canonical": 1, "license": 1, "src": 1, "tag": 1})  # as in `walk.py`
_TELLING = "hidden", "style", "id", "rel", "content", "type"
"""What tells that an element is hidden, or remarks something: this is read while its memory is at hand."""


def arrays(bytes html, Py_ssize_t most):
    cdef object parser = LexborHTMLParser(html, options=_WITHOUT_EVENTS)
    cdef Node root = <Node> <uintptr_t> parser.root.mem_id
    cdef Records records
    cdef Remarks remarks
    cdef Wanted telling = Wanted(_TELLING), naming = Wanted((CONTENT, *NAMES)), relating = Wanted(("href", "rel"))
    remarks.first, remarks.count, remarks.size = NULL, 0, 0
    records.count = 0
    records.size = 1024 + len(html) // 64
    records.first = <Record*> malloc(records.size * sizeof(Record))
    try:
        if records.first == NULL or not gather(
            root, most, &records, telling, naming, relating, _RELATIONS, &remarks
        ):
            raise MemoryError
        return None if records.count > most else as_lists(parser, &records, &remarks)
    finally:
        free(records.first)
        free(remarks.first)


def count(bytes html, unsigned char byte):
    return count_byte(html, len(html), byte)


def places(list tags, str tag):
    cdef list found = []
    cdef Py_ssize_t place, length = len(tag)
    cdef str one
    for place in range(len(tags)):
        one = <str> tags[place]
        if len(one) == length and one == tag:  # most have another length
            found.append(place)
    return found


def places_of(list tags, wanted):
    # A tag is one string wherever it stands: what is at the same address need not be looked up again.
    cdef Known[STANDARD_TAGS] known, lists
    cdef Known tag
    cdef dict found = {one: [] for one in wanted}
    cdef Py_ssize_t place, slot
    for slot in range(STANDARD_TAGS):
        known[slot] = lists[slot] = NULL
    for place in range(len(tags)):
        tag = PyList_GET_ITEM(tags, place)
        slot = ((<uintptr_t> tag >> 4) ^ (<uintptr_t> tag >> 12)) & (STANDARD_TAGS - 1)
        if known[slot] != tag:
            known[slot] = tag
            lists[slot] = PyDict_GetItem(found, <object> tag)
        if lists[slot] != NULL:
            (<list> lists[slot]).append(number(place))
    return found


cdef inline Py_ssize_t next_byte(const unsigned char* data, Py_ssize_t start, Py_ssize_t size, int byte) noexcept nogil:
    """Where a byte stands next; the size where it stands nowhere."""
    cdef const unsigned char* found = <const unsigned char*> memchr(data + start, byte, size - start)
    return size if found == NULL else found - data


def quoted(str text, Vocabulary names):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef unsigned char* letters = <unsigned char*> data
    cdef Py_ssize_t at = 0, double = -1, single = -1, size = len(text), length
    cdef unsigned int letter = 0
    cdef uint64_t hashed
    cdef char[LONGEST_QUOTED] name
    cdef list found = []
    while True:
        if kind == 1:  # nearly all are, and memory is looked through many bytes at once
            if double < at:
                double = next_byte(letters, at, size, 34)
            if single < at:
                single = next_byte(letters, at, size, 39)
            at = min(double, single)
        else:
            while at < size and PyUnicode_READ(kind, data, at) != 34 and PyUnicode_READ(kind, data, at) != 39:
                at += 1
        if at >= size:
            return found
        letter = 0 if at + 1 == size else PyUnicode_READ(kind, data, at + 1)
        if letter >= 128 or not names.begins[letter + 32 if 65 <= letter <= 90 else letter]:  # as most are
            at += 1
            continue
        length, hashed = 0, 0
        while at + length + 1 < size and length < LONGEST_QUOTED:
            letter = PyUnicode_READ(kind, data, at + length + 1)
            if 65 <= letter <= 90:
                letter += 32
            elif letter != 95 and not 97 <= letter <= 122:
                break
            name[length] = letter
            hashed = 31 * hashed + letter
            length += 1
        else:
            at += 1
            continue
        if (letter == 34 or letter == 39 or letter == 92) and names.meaning(name, length, hashed):
            found.append(at)
        at += length + 1


def body(list tags, list ends):
    cdef Py_ssize_t node = 1
    while node < len(tags):
        if tags[node] == "body":
            return node
        node = ends[node]
    return 0


def above(list parents, nodes, Py_ssize_t top):
    cdef set found = set()
    cdef Py_ssize_t node
    for node in nodes:
        node = parents[node]
        while node > top and number(node) not in found:
            found.add(number(node))
            node = parents[node]
    return sorted(found)


def longer(list texts, Py_ssize_t least):
    cdef list found = []
    cdef Py_ssize_t place
    for place in range(len(texts)):
        if len(<str> texts[place]) > least:
            found.append(place)
    return found


def is_utf8(bytes html):
    return are_utf8(html, len(html))


def depths(list parents):
    cdef list found = []
    cdef Py_ssize_t parent
    for parent in parents:
        found.append(found[parent] + 1 if parent >= 0 else 0)
    return found


cdef bint _agrees():
    """Whether Lexbor's functions say of a page what selectolax says of it."""
    cdef bytes page = b"<p class='a b' hidden>x &amp; y<br><my-tag id>z</my-tag><!-- c --><svg viewBox=1><a>"
    tags, parents, ends, texts, elements = arrays(page, len(page))
    root = LexborHTMLParser(page).root
    told = [(node.tag, node.attributes) for node in root.css("*")]
    ours = [(tag, elements.attributes(node)) for node, tag in enumerate(tags) if tag != TEXT]
    known = [own for _, own in ours]
    nodes = array.array("q", [node for node, tag in enumerate(tags) if tag != TEXT])
    names = "class", "hidden", "id"
    combinations, which = elements.combinations(names, nodes)
    if [combinations[number] for number in which] != [tuple([own.get(name) for name in names]) for own in known]:
        return False
    return ours == told and "".join(texts) == root.text() and ends[0] == len(tags) == len(parents)


if not _agrees():
    raise ImportError("Lexbor's functions do not say what selectolax says")

# cython: boundscheck=False, wraparound=False
"""The twin of `walk.py`, which asks Lexbor itself.

selectolax makes a Python object of every node that it is asked about. Its library exports Lexbor's own functions, too:
those are called here, found by their names in the library that is loaded already. No layout of Lexbor's structures is
taken for granted, only the functions of its interface; where a text node keeps its text, which no function tells
without copying it, is looked up once in a text that is known. Where a name is missing, or what Lexbor says of a page is
not what selectolax says of it, the import fails and `walk.py` is what runs.
"""

from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp
from posix.dlfcn cimport RTLD_NOW, dlopen, dlsym

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
    """
    Py_ssize_t count_byte(const unsigned char* data, Py_ssize_t size, unsigned char byte) nogil

ctypedef void* Node
ctypedef const char* Bytes
ctypedef Node (*Step)(Node) noexcept nogil
ctypedef size_t (*Tag)(Node) noexcept nogil
ctypedef int (*Kind)(Node) noexcept nogil
ctypedef Bytes (*Told)(Node, size_t*) noexcept nogil

cdef struct Text:
    Bytes data
    size_t length

cdef void* _library = dlopen(lexbor.__file__.encode(), RTLD_NOW)

cdef void* _named(str name) except NULL:
    cdef void* found = NULL if _library == NULL else dlsym(_library, name.encode())
    if found == NULL:
        raise ImportError(f"selectolax does not export {name}")
    return found

cdef Step next_ = <Step> _named("lxb_dom_node_next_noi")
cdef Step first_child = <Step> _named("lxb_dom_node_first_child_noi")
cdef Step parent_of = <Step> _named("lxb_dom_node_parent_noi")
cdef Step first_attribute = <Step> _named("lxb_dom_element_first_attribute_noi")
cdef Step next_attribute = <Step> _named("lxb_dom_element_next_attribute_noi")
cdef Tag tag_of = <Tag> _named("lxb_dom_node_tag_id_noi")
cdef Kind kind_of = <Kind> _named("lxb_dom_node_type_noi")
cdef Told element_name = <Told> _named("lxb_dom_element_qualified_name")
cdef Told attribute_name = <Told> _named("lxb_dom_attr_qualified_name")
cdef Told attribute_value = <Told> _named("lxb_dom_attr_value_noi")

cdef str TEXT = "#text"
cdef enum:
    ELEMENT_KIND = 1  # as the DOM numbers them
    TEXT_KIND = 3
    STANDARD_TAGS = 256
cdef int _WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)
cdef list _NAMES = [None] * STANDARD_TAGS
cdef list _NUMBERS = list(range(16_384))  # made once: most pages have no more nodes, and all their arrays share them


cdef inline object number(Py_ssize_t value):
    return _NUMBERS[value] if value < 16_384 else value


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


cdef inline bint has_word(Bytes text, size_t size, Bytes word, size_t length) noexcept nogil:
    """Whether a word, in lower case, is part of a text, in whatever case."""
    cdef size_t start, place
    for start in range(size - length + 1 if size >= length else 0):
        for place in range(length):
            if (text[start + place] | 32) != word[place]:
                break
        else:
            return True
    return False


cdef inline bint hides(Bytes style, size_t size) noexcept nogil:
    """Whether a style has the words that hide an element."""
    if has_word(style, size, "none", 4) and has_word(style, size, "display", 7):
        return True
    return has_word(style, size, "hidden", 6) and has_word(style, size, "visibility", 10)


cdef bytes _KNOWN = b"a text that is known, of forty-one bytes."
cdef enum:
    SEARCHED = 24  # words of memory, from the beginning of a node on


cdef size_t _place_of_text() except 0:
    """How far from the beginning of a text node Lexbor keeps the address of its text, and behind it the length."""
    parser = LexborHTMLParser(b"<p>" + _KNOWN + b"<p>")
    cdef size_t* words = <size_t*> <uintptr_t> parser.css_first("p").first_child.mem_id
    cdef size_t place
    for place in range(1, SEARCHED):
        if words[place + 1] == <size_t> len(_KNOWN) and memcmp(<void*> words[place], <char*> _KNOWN, len(_KNOWN)) == 0:
            return place * sizeof(size_t)
    raise ImportError("a text node does not keep its text where it could be found")


cdef size_t _TEXT_AT = _place_of_text()


cdef inline str text_of(Node node):
    cdef Text* text = <Text*> (<char*> node + _TEXT_AT)
    return "" if text.data == NULL else decoded(text.data, text.length)


cdef class Elements:
    """The parser's own elements, by the numbers of their nodes; NULL for a text node."""

    cdef object parser  # whose memory the nodes are
    cdef Node* nodes
    cdef Py_ssize_t count

    def __cinit__(self, object parser, Py_ssize_t count):
        self.parser, self.count = parser, count
        self.nodes = <Node*> malloc(max(1, count) * sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)

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
        cdef bytes wanted = name.encode()
        cdef Bytes letters = wanted
        cdef size_t length = len(wanted), size = 0
        cdef Py_ssize_t node
        cdef Node attribute, element
        cdef Bytes value
        cdef list found = []
        for node in nodes:
            element = self.at(node)
            attribute = NULL if element == NULL else first_attribute(element)
            while attribute != NULL and not is_named(attribute, letters, length):
                attribute = next_attribute(attribute)
            value = NULL if attribute == NULL else attribute_value(attribute, &size)
            found.append(None if value == NULL else decoded(value, size))
        return found

    def named(self, nodes, names, str name):
        cdef list letters = [one.encode() for one in names]
        cdef bytes wanted = name.encode()
        cdef Py_ssize_t node, place, first
        cdef Node attribute, chosen, other
        cdef Bytes value
        cdef bytes each
        cdef size_t size = 0
        cdef list found = []
        for node in nodes:
            chosen = other = NULL
            first = len(letters)
            attribute = NULL if self.at(node) == NULL else first_attribute(self.at(node))
            while attribute != NULL:
                if is_named(attribute, wanted, len(wanted)):
                    other = attribute
                for place in range(first):
                    each = letters[place]
                    if is_named(attribute, each, len(each)):
                        value = attribute_value(attribute, &size)
                        if value != NULL and size > 0:
                            chosen, first = attribute, place
                        break
                attribute = next_attribute(attribute)
            if chosen == NULL or other == NULL:
                continue
            value = attribute_value(other, &size)
            if value == NULL or size == 0:
                continue
            said = decoded(value, size)
            value = attribute_value(chosen, &size)
            found.append((node, decoded(value, size), said))
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

    def maybe_hidden(self):
        cdef Py_ssize_t node
        cdef Node attribute
        cdef Bytes value
        cdef size_t size = 0
        cdef list found = []
        for node in range(self.count):
            attribute = NULL if self.nodes[node] == NULL else first_attribute(self.nodes[node])
            while attribute != NULL:
                if is_named(attribute, "hidden", 6):
                    found.append(node)
                    break
                if is_named(attribute, "style", 5):
                    value = attribute_value(attribute, &size)
                    if value != NULL and hides(value, size):
                        found.append(node)
                        break
                attribute = next_attribute(attribute)
        return found


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


cdef Py_ssize_t count_nodes(Node root, Py_ssize_t most) noexcept nogil:
    """How many elements and text nodes there are; more than `most` are not counted to the end."""
    cdef Node node = root, child
    cdef Py_ssize_t count = 0
    cdef int kind
    while True:
        kind = kind_of(node)
        count += kind == ELEMENT_KIND or kind == TEXT_KIND
        child = first_child(node) if kind == ELEMENT_KIND else NULL
        if child == NULL:
            if count > most:
                return count
            while node != root and (child := next_(node)) == NULL:
                node = parent_of(node)
            if node == root:
                return count
        node = child


cdef inline void put(list items, Py_ssize_t place, object item):
    """Fill a place of a list that was made with room for all, and has nothing there yet."""
    Py_INCREF(item)
    PyList_SET_ITEM(items, place, item)


cdef str tag_name(Node element):
    cdef size_t tag = tag_of(element), size = 0
    cdef Bytes name
    if tag < STANDARD_TAGS and _NAMES[tag] is not None:
        return _NAMES[tag]
    name = element_name(element, &size)
    found = decoded(name, size)
    if tag < STANDARD_TAGS:
        _NAMES[tag] = found
    return found


def arrays(bytes html, Py_ssize_t most):
    cdef object parser = LexborHTMLParser(html, options=_WITHOUT_EVENTS)
    cdef Node root = <Node> <uintptr_t> parser.root.mem_id
    cdef Py_ssize_t count = count_nodes(root, most)
    if count > most:
        return None
    cdef list tags = PyList_New(count), parents = PyList_New(count), ends = PyList_New(count), texts = PyList_New(count)
    cdef Elements elements = Elements(parser, count)
    cdef Node node = root, child
    cdef Py_ssize_t parent = -1, at = 0
    cdef int kind
    cdef object above = -1
    while True:
        kind = kind_of(node)
        child = NULL
        if kind == TEXT_KIND:
            put(tags, at, TEXT)
            put(texts, at, text_of(node))
            put(parents, at, above)
            elements.nodes[at] = NULL
            at += 1
            put(ends, at - 1, number(at))
        elif kind == ELEMENT_KIND:
            put(tags, at, tag_name(node))
            put(texts, at, "")
            put(parents, at, above)
            elements.nodes[at] = node
            at += 1
            child = first_child(node)
            put(ends, at - 1, number(at))
        if child != NULL:
            parent = at - 1
            above = number(parent)
            node = child
            continue
        while node != root and (child := next_(node)) == NULL:
            node = parent_of(node)
            if at != parent + 1:
                ends[parent] = number(at)
            above = parents[parent]
            parent = above
        if node == root:
            return tags, parents, ends, texts, elements
        node = child


def count(bytes html, unsigned char byte):
    return count_byte(html, len(html), byte)


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
    return ours == told and "".join(texts) == root.text() and ends[0] == len(tags) == len(parents)


if not _agrees():
    raise ImportError("Lexbor's functions do not say what selectolax says")

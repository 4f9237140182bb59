# cython: boundscheck=False, wraparound=False
"""Fast path of `lexbor.py`: read Lexbor's tree through Lexbor's own functions.

selectolax makes a Python object of each node that it is asked for. Its library also exports the functions of Lexbor's
C interface; this module finds them by name and calls them. It assumes nothing about the layout of Lexbor's structures.
If the library does not export one of the functions, the import fails with ImportError and `lexbor.py` uses its plain
Python code. Every name here has its description in `lexbor.py`.
"""

from cpython cimport array
from cpython.dict cimport PyDict_GetItem
from cpython.ref cimport PyObject
from cpython.unicode cimport (
    Py_UNICODE_ISSPACE,
    PyUnicode_AsUTF8AndSize,
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from libc.stdint cimport uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memset
from posix.dlfcn cimport RTLD_NOW, dlopen, dlsym

import array
from collections.abc import Sequence
from sys import intern

from selectolax import lexbor
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

cdef extern from "Python.h":
    PyObject* PyList_GET_ITEM(list, Py_ssize_t) noexcept  # a borrowed reference
    void PyObject_GC_UnTrack(object) noexcept

# --- Lexbor's functions ----------------------------------------------------------------------------------------------

cdef void* _library = dlopen(lexbor.__file__.encode(), RTLD_NOW)


cdef void* find_function(str name) except NULL:
    cdef void* function = NULL if _library == NULL else dlsym(_library, name.encode())
    if function == NULL:
        raise ImportError(f"the library of selectolax does not export {name}")
    return function


cdef NodeFunction next_node = <NodeFunction> find_function("lxb_dom_node_next_noi")
cdef NodeFunction first_child = <NodeFunction> find_function("lxb_dom_node_first_child_noi")
cdef NodeFunction parent_node = <NodeFunction> find_function("lxb_dom_node_parent_noi")
cdef TypeFunction node_type = <TypeFunction> find_function("lxb_dom_node_type_noi")
cdef IdFunction tag_id = <IdFunction> find_function("lxb_dom_node_tag_id_noi")
cdef BytesFunction text_content = <BytesFunction> find_function("lxb_dom_node_text_content")
cdef FreeFunction free_text = <FreeFunction> find_function("lxb_dom_document_destroy_text_noi")
cdef BytesFunction element_name = <BytesFunction> find_function("lxb_dom_element_qualified_name")
cdef NodeFunction first_attribute = <NodeFunction> find_function("lxb_dom_element_first_attribute_noi")
cdef NodeFunction next_attribute = <NodeFunction> find_function("lxb_dom_element_next_attribute_noi")
cdef BytesFunction attribute_name = <BytesFunction> find_function("lxb_dom_attr_qualified_name")
cdef BytesFunction attribute_value = <BytesFunction> find_function("lxb_dom_attr_value_noi")


# --- Numbers and attributes ------------------------------------------------------------------------------------------

cdef list _NUMBERS = list(range(SHARED_NUMBERS))  # the arrays of all pages share these objects


cdef inline object number(Py_ssize_t value):
    return <object> PyList_GET_ITEM(_NUMBERS, value) if 0 <= value < SHARED_NUMBERS else value


cdef inline Value name_of(Node attribute) noexcept nogil:
    cdef Value name
    name.size = 0
    name.data = attribute_name(attribute, &name.size)
    return name


cdef Value find_value(Node element, Bytes name, size_t size) noexcept nogil:
    """The value of the attribute with this name, which is in lower case."""
    cdef Value value
    cdef Node attribute = NULL if element == NULL else first_attribute(element)
    value.data, value.size = NULL, 0
    while attribute != NULL:
        if is_equal(name_of(attribute), name, size):
            value.data = attribute_value(attribute, &value.size)
            break
        attribute = next_attribute(attribute)
    return value


# --- Words with flags ------------------------------------------------------------------------------------------------

cdef class WordFlags:
    cdef readonly dict words
    cdef bint[128] is_first  # whether a word begins with this letter: most words of a page are ruled out by this
    cdef size_t longest

    def __cinit__(self, dict words):
        self.words = words
        for word in words:
            if not 0 < len(word) < MAX_WORD_CHARS:
                raise ValueError(f"a word must have 1 to {MAX_WORD_CHARS - 1} characters: {word!r}")
            if not word.isascii():  # values that are not ASCII are not read
                continue
            self.is_first[<Py_ssize_t> ord(word[0])] = True
            self.longest = max(self.longest, <size_t> len(word))

    cdef int flags_of(self, Bytes word, size_t size) except -1:
        """The flags of one ASCII word, in any case; 0 for a word that is not in the table."""
        cdef char[MAX_WORD_CHARS] letters
        cdef size_t at
        cdef PyObject* flags
        if size == 0 or size > self.longest or not self.is_first[lower(word[0])]:
            return 0
        for at in range(size):
            letters[at] = lower(word[at])
        flags = PyDict_GetItem(self.words, decode(letters, size))
        return 0 if flags == NULL else <int> <object> flags

    cdef int read(self, Value value) except -1:
        cdef size_t at, start = 0, part = 0  # of the word, and of its part that begins with the last capital
        cdef unsigned char letter, before = 0
        cdef int flags = 0
        for at in range(value.size + 1):
            letter = 0 if at == value.size else value.data[at]
            if letter >= 128:
                return UNSURE
            if b"a" <= letter <= b"z" or b"0" <= letter <= b"9":
                pass
            elif b"A" <= letter <= b"Z":
                if b"a" <= before <= b"z":
                    flags |= self.flags_of(value.data + part, at - part)
                    part = at
            else:
                flags |= self.flags_of(value.data + part, at - part)
                if start < part and self.flags_of(value.data + start, at - start):
                    flags |= UNSURE
                start = part = at + 1
            before = letter
        return flags

    def find(self, str value):
        cdef Py_ssize_t size = 0
        cdef Value data
        if not value.isascii():
            return UNSURE
        data.data = PyUnicode_AsUTF8AndSize(value, &size)
        data.size = size
        return self.read(data)


def find_quoted(str text, WordFlags names):
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at = 0, size = len(text)
    cdef size_t length
    cdef Py_UCS4 letter
    cdef char[MAX_WORD_CHARS] name
    cdef list positions = []
    while at < size:
        letter = PyUnicode_READ(kind, data, at)
        at += 1
        if letter != 34 and letter != 39:
            continue
        length = 0
        while at + <Py_ssize_t> length < size and length < names.longest + 1 and length < MAX_WORD_CHARS:
            letter = PyUnicode_READ(kind, data, at + length)
            if not (u"a" <= letter <= u"z" or u"A" <= letter <= u"Z" or letter == u"_"):
                break
            name[length] = letter
            length += 1
        if (letter == 34 or letter == 39 or letter == 92) and names.flags_of(name, length):
            positions.append(at - 1)
    return positions


# --- The tree --------------------------------------------------------------------------------------------------------

cdef struct SeenValues:
    # Elements have the same classes again and again: the last value of each slot is remembered with its flags.
    Value[VALUE_SLOTS] values
    int[VALUE_SLOTS] flags


cdef int read_flags(WordFlags words, Value value, SeenValues* seen) except -1:
    cdef uint64_t first = 0, last = 0
    cdef size_t slot, some = min(<size_t> 8, value.size)
    memcpy(&first, value.data, some)
    memcpy(&last, value.data + value.size - some, some)
    slot = ((first ^ 31 * last ^ value.size) * 0x9E3779B97F4A7C15ULL >> 56) & (VALUE_SLOTS - 1)
    if not are_equal(&seen.values[slot], &value, 1):
        seen.flags[slot] = words.read(value)
        seen.values[slot] = value
    return seen.flags[slot]


cdef class Elements:
    cdef object parser  # owns the memory of the nodes
    cdef Node* nodes  # NULL for text nodes
    cdef Py_ssize_t count, size
    cdef readonly dict cached
    cdef readonly bint was_attacked  # whether values that collide were met

    def __cinit__(self, object parser, Py_ssize_t size):
        self.parser, self.count, self.size, self.cached = parser, 0, size, {}
        self.nodes = <Node*> malloc(size * sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)

    cdef int append(self, Node node) except -1:
        cdef Node* nodes
        if self.count == self.size:
            nodes = <Node*> realloc(self.nodes, 2 * self.size * sizeof(Node))
            if nodes == NULL:
                raise MemoryError
            self.nodes = nodes
            self.size *= 2
        self.nodes[self.count] = node
        self.count += 1
        return 0

    cdef Node at(self, Py_ssize_t node) except? NULL:
        if node < 0:
            node += self.count
        if not 0 <= node < self.count:
            raise IndexError("the page has no such node")
        return self.nodes[node]

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        cdef Node attribute
        cdef size_t size
        cdef Bytes data
        cdef str name
        cdef dict attributes
        if isinstance(index, slice):
            return [self[node] for node in range(*index.indices(self.count))]
        cdef PyObject* known = PyDict_GetItem(self.cached, index)
        if known != NULL:
            return <object> known
        attributes = {}
        cdef Node element = self.at(index)
        attribute = NULL if element == NULL else first_attribute(element)
        while attribute != NULL:
            data = attribute_name(attribute, &size)
            name = decode(data, size)
            data = attribute_value(attribute, &size)
            attributes[name] = None if data == NULL else decode(data, size)
            attribute = next_attribute(attribute)
        self.cached[index] = attributes
        return attributes

    def __reduce__(self):
        return list, (self[:],)

    def values(self, str name, nodes):
        cdef bytes letters = name.encode()
        cdef size_t size = len(letters)
        cdef Value value
        cdef Py_ssize_t node
        cdef list values = []
        for node in nodes:
            value = find_value(self.at(node), letters, size)
            values.append(None if value.data == NULL else decode(value.data, value.size))
        return values

    def combinations(self, tuple names, nodes):
        cdef Py_ssize_t columns = len(names), count = len(nodes), column, slot, index, size = 64, place
        cdef list letters = [wanted_name.encode() for wanted_name in names], combinations = []
        cdef Bytes[MAX_COMBINED] wanted
        cdef size_t[MAX_COMBINED] sizes
        if columns > MAX_COMBINED:
            raise ValueError(f"more than {MAX_COMBINED} attributes at once")
        for column in range(columns):
            wanted[column], sizes[column] = letters[column], len(letters[column])
        while size < 2 * count:
            size *= 2
        cdef array.array which = array.clone(array.array("q"), count, zero=False)
        cdef long long* indexes = which.data.as_longlongs
        cdef Value* rows = <Value*> malloc((count + 1) * columns * sizeof(Value))  # each combination once
        cdef uint64_t* hashes = <uint64_t*> malloc((count + 1) * sizeof(uint64_t))
        cdef int* slots = <int*> calloc(size, sizeof(int))  # 1 + the index of a combination; 0: free
        cdef Value* row
        cdef Value name
        cdef uint64_t hashed
        cdef Node attribute, element
        cdef Py_ssize_t probes_left = MAX_PROBES_PER_NODE * count + size
        try:
            if rows == NULL or hashes == NULL or slots == NULL:
                raise MemoryError
            for place in range(count):
                row = rows + len(combinations) * columns
                memset(row, 0, columns * sizeof(Value))
                element = self.at(nodes[place])
                attribute = NULL if element == NULL else first_attribute(element)
                while attribute != NULL:
                    name = name_of(attribute)
                    for column in range(columns):
                        if is_equal(name, wanted[column], sizes[column]):
                            row[column].data = attribute_value(attribute, &row[column].size)
                            break
                    attribute = next_attribute(attribute)
                hashed = hash_values(row, columns)
                slot = hashed & (size - 1)
                while slots[slot]:
                    index = slots[slot] - 1
                    if hashes[index] == hashed and are_equal(row, rows + index * columns, columns):
                        break
                    slot = (slot + 1) & (size - 1)
                    probes_left -= 1
                    if probes_left < 0:  # values chosen to collide: the hash of Python has a secret seed
                        return self.combine_in_dict(names, nodes)
                else:
                    index = len(combinations)
                    slots[slot], hashes[index] = index + 1, hashed
                    combinations.append(
                        tuple([None if row[column].data == NULL else decode(row[column].data, row[column].size)
                               for column in range(columns)])
                    )
                indexes[place] = index
        finally:
            free(rows)
            free(hashes)
            free(slots)
        return combinations, which

    def combine_in_dict(self, tuple names, nodes):
        """Do the same as `combinations`, slower, for values of any kind."""
        cdef dict indexes = {}
        self.was_attacked = True
        rows = zip(*[self.values(name, nodes) for name in names], strict=True)
        which = array.array("q", [indexes.setdefault(row, len(indexes)) for row in rows])
        return list(indexes), which

    def may_be_hidden(self):
        cdef Py_ssize_t node
        cdef Node attribute
        cdef Value name, value
        cdef list nodes = []
        for node in range(self.count):
            attribute = NULL if self.nodes[node] == NULL else first_attribute(self.nodes[node])
            while attribute != NULL:
                name = name_of(attribute)
                if is_equal(name, "hidden", 6):
                    nodes.append(number(node))
                    break
                if is_equal(name, "style", 5):
                    value.data = attribute_value(attribute, &value.size)
                    if value.data != NULL and (contains(value, "none", 4) or contains(value, "hidden", 6)):
                        nodes.append(number(node))
                        break
                attribute = next_attribute(attribute)
        return nodes

    def find_marked(self, list tags, nodes, frozenset marking_tags, WordFlags words, flags_of_name):
        # What is known of an attribute's name, by the address of the name, which is the same throughout a document.
        cdef Bytes[NAME_SLOTS] known_names
        cdef int[NAME_SLOTS] name_flags, name_roles
        cdef SeenValues seen
        cdef int flags, named
        cdef size_t chars, size, slot
        cdef Py_ssize_t node
        cdef Node element, attribute
        cdef Bytes data
        cdef Value value
        cdef str name
        cdef list marked = [], marks = []
        memset(&seen, 0, sizeof(seen))
        memset(known_names, 0, sizeof(known_names))
        for node in nodes:
            element = self.at(node)
            if element == NULL:
                continue
            flags, named, chars = 0, 0, 1
            attribute = first_attribute(element)
            while attribute != NULL:
                data = attribute_name(attribute, &size)
                slot = (<uint64_t> <uintptr_t> data * 0x9E3779B97F4A7C15ULL >> 55) & (NAME_SLOTS - 1)
                if known_names[slot] != data:
                    name = decode(data, size).lower()
                    known_names[slot] = data
                    name_flags[slot] = flags_of_name(name)
                    name_roles[slot] = 1 if name == "class" or name == "id" else 2 if name == "rel" else 0
                flags |= name_flags[slot]
                if name_roles[slot]:
                    value.data = attribute_value(attribute, &value.size)
                    if value.data == NULL:
                        pass
                    elif name_roles[slot] == 1:
                        named |= read_flags(words, value, &seen)
                        chars += value.size
                    elif read_flags(words, value, &seen):
                        flags |= UNSURE
                attribute = next_attribute(attribute)
            if named and chars > MAX_NAME_CHARS:
                named = UNSURE
            flags |= named
            if flags or <object> PyList_GET_ITEM(tags, node) in marking_tags:
                marked.append(number(node))
                marks.append(flags)
        return marked, marks

    def selected(self, str css):
        cdef Py_ssize_t node
        cdef set addresses = {element.mem_id for element in self.parser.css(css)}
        return [
            number(node)
            for node in range(self.count)
            if self.nodes[node] != NULL and <uintptr_t> self.nodes[node] in addresses
        ]


Sequence.register(Elements)

cdef str TEXT = intern("#text")
cdef list _TAG_NAMES = [None] * STANDARD_TAGS
cdef int _WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)


cdef str tag_name(Node element, bint in_svg):
    """The name of an element. An id has two names where SVG writes one with capitals: `foreignObject`."""
    cdef size_t size = 0, tag = tag_id(element)
    cdef Bytes data
    cdef str name = <str> PyList_GET_ITEM(_TAG_NAMES, tag) if tag < STANDARD_TAGS else None
    if name is not None and not in_svg:
        return name
    data = element_name(element, &size)
    if name is None or <size_t> len(name) != size or memcmp(PyUnicode_DATA(name), data, size) != 0:
        name = decode(data, size)
        if tag < STANDARD_TAGS:
            name = intern(name)  # so that sets of tags compare by identity
            if not in_svg:
                _TAG_NAMES[tag] = name
    return name


cdef str node_text(Node node, Node document, list spaces):
    """The text of a node. The white space between tags is mostly the same: `spaces` has the last text of each size."""
    cdef size_t size = 0
    cdef Bytes data = text_content(node, &size)  # a copy in the memory of the document
    cdef str text
    if data == NULL:
        return ""
    if 0 < size < MAX_SHARED_SPACES and (data[0] == 32 or data[0] == 10):
        text = <str> PyList_GET_ITEM(spaces, size)
        if text is None or memcmp(PyUnicode_DATA(text), data, size) != 0:
            text = decode(data, size)
            if <size_t> len(text) == size:  # all of it is ASCII
                spaces[size] = text
    else:
        text = decode(data, size)
    free_text(document, data)
    return text


def read_tree(bytes html, Py_ssize_t max_nodes):
    cdef object parser = LexborHTMLParser(html, options=_WITHOUT_EVENTS)
    cdef Elements elements = Elements(parser, 256 + len(html) // 64)
    cdef list tags = [], parents = [], ends = [], texts = [], spaces = [None] * MAX_SHARED_SPACES
    cdef Node root = <Node> <uintptr_t> parser.root.mem_id
    cdef Node node = root, child, document = parent_node(root)
    cdef Py_ssize_t parent = -1, count = 0, svg = -1  # svg: the outermost one that is open
    cdef int type_of_node
    cdef str tag
    while True:
        type_of_node = node_type(node)
        child = NULL
        if type_of_node == ELEMENT_NODE or type_of_node == TEXT_NODE:
            count += 1
            parents.append(number(parent))
            ends.append(number(count))
            if type_of_node == TEXT_NODE:
                elements.append(NULL)
                tags.append(TEXT)
                texts.append(node_text(node, document, spaces))
            else:
                elements.append(node)
                tag = tag_name(node, svg >= 0)
                tags.append(tag)
                texts.append("")
                child = first_child(node)
                if child != NULL and svg < 0 and tag == "svg":
                    svg = count - 1
        if child != NULL:
            parent = count - 1
            node = child
            continue
        if count > max_nodes:
            return None
        while node != root and (child := next_node(node)) == NULL:
            node = elements.nodes[parent]
            ends[parent] = number(count)
            if parent == svg:
                svg = -1
            parent = <Py_ssize_t> <object> PyList_GET_ITEM(parents, parent)
        if node == root:
            break
        node = child
    for numbers_or_strings in (tags, parents, ends, texts):
        PyObject_GC_UnTrack(numbers_or_strings)  # in no reference cycle: the garbage collector need not look at them
    return tags, parents, ends, texts, elements


# --- Attributes of tags (`attribute_limit`) ---------------------------------------------------------------------------

cdef int[7][9] _NEXT_STATES
cdef unsigned char[256] _CHARACTER_KINDS


cdef void copy_states():
    from duramen.dom import tag_scanner as source
    for kind in range(7):
        for state in range(9):
            _NEXT_STATES[kind][state] = source.NEXT_STATES[kind][state]
    for byte in range(256):
        _CHARACTER_KINDS[byte] = source.CHARACTER_KINDS[byte]


cdef inline bint is_letter(Bytes at, Bytes end) noexcept nogil:
    return at < end and b"a" <= lower(at[0]) <= b"z"


def scan_attributes(bytes html, int max_attributes):
    cdef Bytes start = html
    cdef Bytes at = start
    cdef Bytes end = start + len(html)
    # The states that a tag is in, those of <html> and <body> after the others, and the most attributes of such a tag.
    cdef int[18] states
    cdef int[18] counts
    cdef int active = 0, kept, index, other, state, following, count, most, document = 0
    cdef list closings = []
    cdef const int* next_states
    cdef Py_ssize_t total = 0, tags = 0
    cdef bint is_run = False  # whether the character before was of the same kind, which has no kind of its own
    if not _CHARACTER_KINDS[0]:
        copy_states()
    while at < end:
        if not active:
            if not (at[0] == 47 and at > start and (at - 1)[0] == 60):  # not the slash of an end tag
                at = <Bytes> memchr(at, 60, end - at)
                if at == NULL:
                    break
                if at + 1 < end and at[1] == 47:
                    at += 1
        else:
            if is_run:
                while at < end and _CHARACTER_KINDS[<unsigned char> at[0]] == 6 and at[0] != 60:
                    at += 1
                if at == end:
                    break
            next_states = _NEXT_STATES[_CHARACTER_KINDS[<unsigned char> at[0]]]
            kept, most = 0, 0
            for index in range(active):
                state, count = states[index], counts[index]
                following = next_states[state - 9 if state >= 9 else state]
                if following < 0:
                    continue
                if following >= 9:
                    following -= 9
                    count += 1
                    most = max(most, count)
                    if state >= 9:
                        document = max(document, count)
                if state >= 9:
                    following += 9
                for other in range(kept):
                    if states[other] == following:
                        counts[other] = max(counts[other], count)
                        break
                else:
                    states[kept], counts[kept] = following, count
                    kept += 1
            active = kept
            total += most > 0
            if most > max_attributes:  # as if all tags were closed, except for quoted values
                closings.append(at - start)
                active = 0
                for index in range(kept):
                    state = states[index] % 9
                    if state == 5 or state == 6:
                        states[active], counts[active] = states[index], counts[index]
                        active += 1
        is_run = _CHARACTER_KINDS[<unsigned char> at[0]] == 6
        if (at[0] == 60 or (at[0] == 47 and at > start and (at - 1)[0] == 60)) and is_letter(at + 1, end):
            tags += 1
            state, count = 0, 0
            if at[0] == 60 and end - at > 5 and _CHARACTER_KINDS[<unsigned char> at[5]] <= 1 and (
                starts_with(at + 1, b"html", 4) or starts_with(at + 1, b"body", 4)
            ):
                state, count = 9, document
            for other in range(active):
                if states[other] == state:
                    counts[other] = max(counts[other], count)
                    break
            else:
                states[active], counts[active] = state, count
                active += 1
            is_run = False
        at += 1
    return closings, total, tags


# --- Loops over whole arrays -----------------------------------------------------------------------------------------

def count_byte(bytes data, unsigned char byte):
    cdef Bytes start = data
    cdef Bytes end = start + len(data)
    cdef Py_ssize_t count = 0
    while (start := <Bytes> memchr(start, byte, end - start)) != NULL:
        count += 1
        start += 1
    return count


def find_tags(list tags):
    cdef dict nodes = {}
    cdef Py_ssize_t node
    cdef PyObject* known
    for node in range(len(tags)):
        tag = <object> PyList_GET_ITEM(tags, node)
        if tag is TEXT:
            continue
        known = PyDict_GetItem(nodes, tag)
        if known == NULL:
            nodes[tag] = [number(node)]
        else:
            (<list> known).append(number(node))
    return nodes


def find_texts(list tags, list texts):
    cdef list nodes = []
    cdef Py_ssize_t node
    cdef str text
    for node in range(len(tags)):
        if <str> PyList_GET_ITEM(tags, node) == TEXT:  # after unpickling it is another object
            text = <str> PyList_GET_ITEM(texts, node)
            if not text or not Py_UNICODE_ISSPACE(text[0]) or not text.isspace():  # most texts begin with a letter
                nodes.append(number(node))
    return nodes


def find_depths(list parents):
    cdef list depths = []
    cdef Py_ssize_t parent
    for parent in parents:
        depths.append(0 if parent < 0 else number(<Py_ssize_t> depths[parent] + 1))
    return depths

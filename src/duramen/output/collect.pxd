cimport cython

cdef Py_ssize_t _NEVER
# Constants that the source imports by name: kinds of block, marks.
cdef Py_ssize_t FORMULA_BLOCK, HEADING_BLOCK, LINE_BLOCK, PARAGRAPH_BLOCK, PREFORMATTED_BLOCK, FORMULA, SUPERSCRIPT
cdef str BREAK

cdef class BlockCollector:
    cdef object tree, structure, container, href
    cdef list blocks, pieces, mark_changes, script_starts
    cdef bint rich
    cdef Py_ssize_t kind, level, node, text_before, marks

    cdef object change_marks(self)
    cdef object convert_script(self, Py_ssize_t mark)
    cdef object end_line(self)
    @cython.locals(pieces=list, text=str)
    cdef object flush(self)
    cdef bint _add_parts(self) except -1
    @cython.locals(kind=cython.Py_ssize_t, text=str)
    cdef object _add_words(self, list pieces, list changes)
    cdef object add_code(self, Py_ssize_t node, str text, str language)
    cdef object add_embed(self, Py_ssize_t node, str title, object url)
    cdef object add_block(self, Py_ssize_t kind, str text, object runs, str language=*)

cimport cython
from duramen.output.collect cimport BlockCollector

cdef Py_ssize_t _NEVER, _MAX_UNCACHED_LEVELS, MAX_CONTAINER_DEPTH
# Constants that the source imports by name: kinds of block, roles of elements, marks, kinds of unit.
cdef Py_ssize_t CALLOUT_BLOCK, FORMULA_BLOCK, HEADING_BLOCK, LINE_BLOCK, PARAGRAPH_BLOCK, PREFORMATTED_BLOCK, RULE_BLOCK
cdef Py_ssize_t TABLE_BLOCK
cdef Py_ssize_t BLOCK, CELL, DEFINITION, DEFINITION_LIST, DIALOG, FIGURE, FIGURE_CAPTION, FIRST_INLINE, FORMATTING
cdef Py_ssize_t HEADING
cdef Py_ssize_t IMAGE, INLINE_QUOTE, ITEM, LINK, LIST, NOTE, PARAGRAPH, PRE, QUOTE, RULE, SUMMARY, TABLE, TABLE_CAPTION
cdef Py_ssize_t TERM, FORMULA, NOTE_REFERENCE, SUPERSCRIPT
cdef Py_ssize_t CALLOUT, CODE_RUN, CODE_UNIT, DROPPED, EMBED, EMOJI, FORMULA_UNIT, NOSCRIPT_IMAGE, NOTE_TEXT, REFERENCE
cdef Py_ssize_t TABLE_PART
cdef str TEXT, BREAK

cdef class BlockBuilder(BlockCollector):
    cdef object spans, options, draft
    cdef list tags, parents, ends, texts, frames
    cdef dict roles, units, item_numbers, stray_lists, box_of
    cdef set labels, image_urls
    cdef list label_order
    cdef Py_ssize_t limit, quote_depth, pre_end, heading_end, heading_level, close_at

    cpdef list build(self)
    cdef object _add_notes(self)
    @cython.locals(
        tags=list, parents=list, ends=list, texts=list, roles=dict, units=dict, pieces=list, outside=set, path=list,
        hidden=frozenset, tag=str, text=str, node=cython.Py_ssize_t, stop=cython.Py_ssize_t,
        event=cython.Py_ssize_t, parent=cython.Py_ssize_t, role=cython.Py_ssize_t, invisible_role=cython.Py_ssize_t,
        line_break=cython.Py_ssize_t, is_first=cython.bint, before=cython.Py_ssize_t, ancestor=cython.Py_ssize_t,
        after=cython.Py_ssize_t,
    )
    cdef object _read(self, object spans, Py_ssize_t seen)
    cdef Py_ssize_t _find_formula_start(self, Py_ssize_t node) except -2
    @cython.locals(after=cython.Py_ssize_t, parent=cython.Py_ssize_t)
    cdef Py_ssize_t _skip_dropped(self, Py_ssize_t node, Py_ssize_t seen) except -2
    @cython.locals(kind=cython.Py_ssize_t, end=cython.Py_ssize_t)
    cdef Py_ssize_t _add_unit(self, Py_ssize_t node, Py_ssize_t stop) except -2
    cdef object _add_reference(self, Py_ssize_t node, str label)
    cdef object _add_piece(self, Py_ssize_t node, str text, Py_ssize_t mark)
    cdef Py_ssize_t _open_callout(self, Py_ssize_t node) except -2
    cdef object _skip_gap(self, Py_ssize_t seen, Py_ssize_t node)
    @cython.locals(role=cython.Py_ssize_t)
    cdef object _enter_named(self, Py_ssize_t node)
    @cython.locals(tags=list, roles=dict, box=cython.Py_ssize_t, role=cython.Py_ssize_t, limit=cython.Py_ssize_t)
    cdef Py_ssize_t _begin_block(self, Py_ssize_t node) except -2
    @cython.locals(tags=list, parents=list, roles=dict, path=list)
    cdef Py_ssize_t _find_box(self, Py_ssize_t node) except -2
    cdef object _push(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _open(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _open_inline(self, Py_ssize_t node, Py_ssize_t role)
    cdef bint _leads_here(self, object address, object href) except -1
    cdef object _add_image(self, Py_ssize_t node)
    cdef object _open_table(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _open_table_part(self, Py_ssize_t node)
    cdef object _open_container(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _find_stray_list(self, Py_ssize_t node)
    @cython.locals(role=cython.Py_ssize_t)
    cdef object _leave(self)
    cdef object _close_table(self, object draft)

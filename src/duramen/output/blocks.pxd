cimport cython

cdef bint _COMPILED
cdef Py_ssize_t _NEVER, DEEPEST, _LINE, _PARAGRAPH, _HEADING, _VERBATIM
# The roles of `elements`, which the source imports by name.
cdef Py_ssize_t BLOCK, CAPTION, CELL, DEFINITION, DIALOG, FIGURE, FIRST_INLINE, GLOSSARY, HEADING, IMAGE, ITEM, LEGEND
cdef Py_ssize_t LINK, LIST, MARK, PARAGRAPH, PRE, QUOTATION, QUOTE, ROW, RULE, TABLE, TERM
cdef str TEXT, BREAK

@cython.locals(character=cython.Py_UCS4)
cdef bint _is_blank(str text)

@cython.locals(last=cython.Py_UCS4, first=cython.Py_UCS4)
cdef bint _may_part(str before, str after)

cdef class _Pass:
    cdef object tree, options, container, href, draft
    cdef list tags, parents, ends, texts, blocks, pieces, shifts, frames
    cdef dict roles, numbers, stray_lists, boxes, spanning
    cdef bint rich
    cdef Py_ssize_t kind, level, node, limit, before, marks, quotations, verbatim, heading, heading_level, close_at

    @cython.locals(
        tags=list, parents=list, ends=list, texts=list, roles=dict, pieces=list, outside=set, way=list,
        hidden_nodes=frozenset, tag=str, text=str, node=cython.Py_ssize_t, stop=cython.Py_ssize_t,
        seen=cython.Py_ssize_t, event=cython.Py_ssize_t, parent=cython.Py_ssize_t, role=cython.Py_ssize_t,
        invisible=cython.Py_ssize_t, dialog=cython.Py_ssize_t, block=cython.Py_ssize_t, line_break=cython.Py_ssize_t,
        named=cython.bint, any_hidden=cython.bint, ancestor=cython.Py_ssize_t,
    )
    cdef list run(self, object spans)
    cdef object _leap(self, Py_ssize_t seen, Py_ssize_t node)
    @cython.locals(role=cython.Py_ssize_t)
    cdef object _enter(self, Py_ssize_t node)
    @cython.locals(tags=list, parents=list, roles=dict, box=cython.Py_ssize_t, role=cython.Py_ssize_t, limit=cython.Py_ssize_t)
    cdef Py_ssize_t _begin(self, Py_ssize_t node) except -2
    @cython.locals(tags=list, parents=list, roles=dict, way=list)
    cdef Py_ssize_t _box(self, Py_ssize_t node) except -2
    cdef object _push(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _open(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _open_inline(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _shift(self)
    cdef object _image(self, Py_ssize_t node)
    cdef object _open_table(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _open_container(self, Py_ssize_t node, Py_ssize_t role)
    cdef object _number(self, Py_ssize_t node, object container)
    cdef object _stray_list(self, Py_ssize_t node)
    @cython.locals(role=cython.Py_ssize_t)
    cdef object _leave(self)
    cdef object _close_table(self, object draft)
    cdef object _line(self)
    @cython.locals(pieces=list, kind=cython.Py_ssize_t, text=str)
    cdef object _flush(self)
    cdef object _put(self, Py_ssize_t kind, str text=*, object runs=*)

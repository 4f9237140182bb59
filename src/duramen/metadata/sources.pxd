cimport cython

from duramen.compiled.metadata_addresses cimport address_kind, brand_of, date_in, host_and_path, is_of_forum, month_in
from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_head cimport Head as _Head
from duramen.compiled.metadata_json_ld cimport read_json_ld, read_things
from duramen.compiled.metadata_meta cimport read_metas
from duramen.compiled.metadata_relations cimport read_relations
from duramen.compiled.metadata_strings cimport key, key_once, text_of, word_count
from duramen.compiled.metadata_titles cimport without_permalink
from duramen.compiled.metadata_tuples cimport Claim, Setting

cdef object Body, Head, other_things, read_described, read_far_lines, read_lines, NOWHERE, no_claims, Elsewhere, crumbs, own_links
cdef object read_microdata, read_microformats, read_scripts, read_times, likeness, _IN_BODY

cdef Py_ssize_t _MOST_HEADINGS, _LONGEST_HEADING

cdef object _heading(str text, str tag, object node)


cdef class Sources:
    cdef dict __dict__  # what is read once
    cdef readonly object page, today
    cdef readonly _Head head
    cdef readonly dict metas
    cdef readonly str address, host, path, brand, declared_language
    cdef readonly list first_headings

    cpdef _declared_language(self)

    @cython.locals(found=list, text=str)
    cpdef list _first_headings(self)

    cpdef object setting_of_authors(self, bint is_dated, bint body)

    cpdef list claims(self, str field, bint body)

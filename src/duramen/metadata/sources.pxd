from duramen.compiled.metadata_addresses cimport address_kind, brand_of, date_in, host_and_path, is_of_forum, month_in
from duramen.compiled.metadata_claims cimport new
from duramen.compiled.metadata_json_ld cimport read_json_ld, read_things
from duramen.compiled.metadata_meta cimport read_metas
from duramen.compiled.metadata_relations cimport read_relations
from duramen.compiled.metadata_strings cimport key, key_once, text_of, word_count
from duramen.compiled.metadata_titles cimport headline

cdef object Body, of_others, read_described, read_far_lines, read_lines, NOWHERE, Claim, no_claims, Elsewhere, crumbs, own_links
cdef object Head, read_microdata, read_microformats, Setting, read_scripts, read_times, likeness, _IN_BODY

cdef Py_ssize_t _MOST_HEADINGS, _LONGEST_HEADING

cdef object _heading(str text, str tag, object node)

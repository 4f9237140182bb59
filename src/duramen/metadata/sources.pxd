cdef object address_kind, brand_of, date_in, host_and_path, is_of_forum, month_in, Body, read_far_lines, read_lines, NOWHERE
cdef object Claim, new, no_claims, Elsewhere, crumbs, own_links, Head, read_json_ld, read_things, read_metas
cdef object of_others, read_described, read_microdata, read_microformats, Setting, read_relations, read_scripts, key, key_once, text_of
cdef object word_count, read_times, headline, likeness, _IN_BODY

cdef Py_ssize_t _MOST_HEADINGS, _LONGEST_HEADING

cdef object _heading(str text, str tag, object node)

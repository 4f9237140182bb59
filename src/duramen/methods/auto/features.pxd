cimport cython

# Lines of the matrix.
cdef Py_ssize_t _WORDS, _LINKS, _CHARS, _COMMAS, _ENDS_SENTENCE, _DIGITS, _CAPITALS, _BOLD, _HEADING
cdef Py_ssize_t _TITLE_SHARE, _EARLIER_COPIES, _COPIES, _PREVIOUS_WORDS, _PREVIOUS_LINKS
cdef Py_ssize_t _PREVIOUS_HEADING, _PREVIOUS_TOGETHER, _NEXT_WORDS, _NEXT_LINKS, _NEXT_HEADING
cdef Py_ssize_t _NEXT_TOGETHER, _WORDS_WITHIN_4, _LINKS_WITHIN_4, _WORDS_WITHIN_10, _LINKS_WITHIN_10
cdef Py_ssize_t _COMMAS_WITHIN_10, _WORDS_BEFORE, _BLOCKS_BEFORE, _SINCE_PARAGRAPH, _UNTIL_PARAGRAPH
cdef Py_ssize_t _FROM_H1, _FROM_HEADING, _UNDER_HEADING, _LEVEL, _FLAGS, _SCORES, _PATH_WEIGHT
cdef Py_ssize_t _THREE_PEERS, _THREE_PEERS_WORDS, _THREE_PEERS_LINKS, _PEERS, _PEERS_WORDS, _PEERS_LINKS
cdef Py_ssize_t _PEERS_BLOCKS, _GROUP_SHARE, _GROUP_BEFORE, _GROUP_PLACE, _GROUP_SIZE, _GROUP_WORDS
cdef Py_ssize_t _GROUP_BLOCKS, _CLUSTER_BLOCKS, _CLUSTER_WORDS, _CLUSTER_LINKS, _CLUSTER_SHARE
cdef Py_ssize_t _PARENT_IMAGES, _PARENT2_IMAGES, _TITLE_WORDS, _CONTAINER_TITLE_WORDS, _PAGE_TITLE_WORDS
cdef Py_ssize_t _FROM_HEADLINE, _WORDS_FROM_HEADLINE, _HEADINGS_FROM_HEADLINE, _SECTIONS_FROM_HEADLINE
cdef Py_ssize_t _HEADLINE_ANCESTOR_BLOCKS, _HEADLINE_ANCESTOR_SHARE, _HEADLINE_ANCESTOR_UP
cdef Py_ssize_t _HEADLINE_ANCESTOR_DOWN, _HEADLINE_LEVEL, _CONTAINER_BLOCKS, _CONTAINER_WORDS
cdef Py_ssize_t _CONTAINER_LINKS, _CONTAINER_SHARE, _CONTAINER_MEAN_WORDS, _CONTAINER_COMMAS
cdef Py_ssize_t _CONTAINER_PARAGRAPHS, _CONTAINER_PLACE
cdef Py_ssize_t _FLAG_COUNT, _COMMENT_FLAG, _SCORE_COUNT, _CONTAINER_FEATURES

cdef class _Description:
    cdef readonly list lower, labels
    cdef readonly Py_ssize_t currency_signs
    cdef public Py_ssize_t headline
    cdef Py_ssize_t count, body_tag
    cdef double total
    cdef double[:, ::1] matrix, scores
    cdef double[::1] path_weight, sum_title_words
    cdef long long[:, ::1] containers
    cdef long long[::1] words, linked, bold, owner, parent, start, stop, images, heading, cluster
    cdef long long[::1] sum_words, sum_linked, sum_commas, sum_paragraphs
    cdef long long[::1] tag, label, flags, level, peers, place, group_words, group_start, three, most, heaviest
    cdef unsigned char[::1] in_comments

    @cython.locals(
        matrix="double[:, ::1]", min_words=cython.Py_ssize_t, prefix_count=cython.Py_ssize_t, block=cython.Py_ssize_t,
        text=str, words=cython.Py_ssize_t, digit=cython.Py_ssize_t, capital=cython.Py_ssize_t, comma=cython.Py_ssize_t,
        character=cython.Py_UCS4, chars=cython.Py_ssize_t, found=cython.Py_ssize_t, prefix=str,
        numbers="long long[::1]", copies="long long[::1]",
    )
    cpdef object read_texts(self, list texts, tuple prefixes)

    @cython.locals(
        matrix="double[:, ::1]", min_words=cython.Py_ssize_t, most=cython.double, block=cython.Py_ssize_t,
        words=cython.Py_ssize_t, linked=cython.Py_ssize_t, is_paragraph=cython.bint, title_words=cython.double,
    )
    cpdef object add_up(self)

    @cython.locals(
        tags=list, combination="long long[::1]", class_numbers="long long[::1]", keys=list, page_tags=list,
        class_count=cython.Py_ssize_t, tag_flags="long long[::1]", tag_scores="double[::1]",
        tag_words="long long[::1]", headings="long long[::1]", name_flags="long long[::1]", number=cython.Py_ssize_t,
        element=cython.Py_ssize_t, tag=cython.Py_ssize_t, above=cython.Py_ssize_t, flags=cython.Py_ssize_t,
        max_words=cython.Py_ssize_t, block=cython.Py_ssize_t, level=cython.Py_ssize_t,
        element_words="long long[::1]", element_scores="double[::1]", role=str,
    )
    cpdef object read_elements(self, object scorer, object blocks)

    @cython.locals(
        containers="long long[:, ::1]", start="long long[::1]", stop="long long[::1]", ranks=cython.Py_ssize_t,
        element=cython.Py_ssize_t, above=cython.Py_ssize_t, has_same_blocks=cython.bint, skipped=cython.Py_ssize_t,
        rank=cython.Py_ssize_t,
    )
    cpdef object find_containers(self)

    @cython.locals(
        elements=cython.Py_ssize_t, keys=list, group="long long[::1]", sizes="long long[::1]", words="long long[::1]",
        starts="long long[::1]", element=cython.Py_ssize_t, number=cython.Py_ssize_t, peers="long long[::1]",
        group_words="long long[::1]", above=cython.Py_ssize_t, size=cython.Py_ssize_t, other=cython.Py_ssize_t,
        weight=cython.double, is_heavier=cython.bint,
    )
    cpdef object find_peers(self)

    @cython.locals(
        keys=list, elements=cython.Py_ssize_t, block=cython.Py_ssize_t, owner=cython.Py_ssize_t, above=cython.Py_ssize_t,
    )
    cpdef object find_clusters(self)

    @cython.locals(
        matrix="double[:, ::1]", sum_words="long long[::1]", sum_linked="long long[::1]", sum_commas="long long[::1]",
        owner="long long[::1]", parent="long long[::1]", count=cython.Py_ssize_t, block=cython.Py_ssize_t,
        other=cython.Py_ssize_t, is_together=cython.bint, low=cython.Py_ssize_t, high=cython.Py_ssize_t,
        words=cython.Py_ssize_t,
    )
    cpdef object write_neighbors(self)

    @cython.locals(
        matrix="double[:, ::1]", count=cython.Py_ssize_t, since_paragraph=cython.Py_ssize_t,
        from_heading=cython.Py_ssize_t, under_heading=cython.Py_ssize_t, h1=cython.Py_ssize_t, block=cython.Py_ssize_t,
        level=cython.Py_ssize_t, is_paragraph=cython.bint, until_paragraph=cython.Py_ssize_t, no_distance=cython.double,
    )
    cpdef object write_positions(self)

    @cython.locals(
        matrix="double[:, ::1]", block=cython.Py_ssize_t, owner=cython.Py_ssize_t, flags=cython.Py_ssize_t,
        bit=cython.Py_ssize_t, number=cython.Py_ssize_t,
    )
    cpdef object write_elements(self)

    @cython.locals(
        matrix="double[:, ::1]", start="long long[::1]", stop="long long[::1]", sum_words="long long[::1]",
        sum_linked="long long[::1]", total=cython.double, block=cython.Py_ssize_t, element=cython.Py_ssize_t,
        low=cython.Py_ssize_t, high=cython.Py_ssize_t, words=cython.Py_ssize_t,
    )
    cpdef object write_peers(self)

    @cython.locals(
        matrix="double[:, ::1]", blocks="long long[::1]", words="long long[::1]", linked="long long[::1]",
        block=cython.Py_ssize_t, number=cython.Py_ssize_t, above=cython.Py_ssize_t,
    )
    cpdef object write_clusters(self)

    @cython.locals(
        matrix="double[:, ::1]", sum_words="long long[::1]", sum_linked="long long[::1]", sum_commas="long long[::1]",
        total=cython.double, ranks=cython.Py_ssize_t, block=cython.Py_ssize_t, rank=cython.Py_ssize_t,
        line=cython.Py_ssize_t, element=cython.Py_ssize_t, feature=cython.Py_ssize_t, low=cython.Py_ssize_t,
        high=cython.Py_ssize_t, blocks=cython.Py_ssize_t, words=cython.Py_ssize_t, paragraphs=cython.Py_ssize_t,
        title_words=cython.double,
    )
    cpdef object write_containers(self)

    @cython.locals(
        matrix="double[:, ::1]", headline=cython.Py_ssize_t, no_distance=cython.double, block=cython.Py_ssize_t,
        line=cython.Py_ssize_t, elements=cython.Py_ssize_t, ancestor="long long[::1]", up="long long[::1]",
        down="long long[::1]", headline_level=cython.Py_ssize_t, headings=cython.Py_ssize_t,
        sections=cython.Py_ssize_t, level=cython.Py_ssize_t, owner=cython.Py_ssize_t, low=cython.Py_ssize_t,
        high=cython.Py_ssize_t,
    )
    cpdef object write_headline(self)

@cython.locals(found=list, max_chars=cython.Py_ssize_t, block=cython.Py_ssize_t, text=str)
cpdef list find_titles(list lower, str title)

@cython.locals(known=dict, place=cython.Py_ssize_t)
cdef list _number(list keys, long long[::1] numbers)

@cython.locals(steps=cython.Py_ssize_t, element=cython.Py_ssize_t, above=cython.Py_ssize_t)
cdef object _find_common_ancestors(
    const long long[::1] parent, Py_ssize_t other, long long[::1] ancestor, long long[::1] up, long long[::1] down,
)

"""The decision whether content is an article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.article import ArticleVerdict, is_article
from duramen.content import subtree
from duramen.dom.tree import Tree

SENTENCE = "The old oak by the river was felled in a storm last night. "
PARAGRAPH = f"<p>{SENTENCE * 3}</p>"
ARTICLE = PARAGRAPH * 4


def judge(html: str, **numbers: int) -> ArticleVerdict:
    tree = Tree.parse(html)
    return is_article(tree, subtree(tree, tree.body), **numbers)


def test_paragraphs_of_prose_are_an_article() -> None:
    assert judge(ARTICLE) == ArticleVerdict(True, "12 sentences in 4 paragraphs")


@pytest.mark.parametrize(("kept", "expected"), [(7, False), (8, True)])
def test_an_article_has_eight_sentences(kept: int, expected: bool) -> None:
    verdict = judge(f"<p>{SENTENCE}</p><p>{SENTENCE * (kept - 1)}</p>")
    assert bool(verdict) is expected
    assert f"{kept} sentences in 2 paragraphs" in verdict.reason


def test_an_article_has_two_paragraphs() -> None:
    assert judge(f"<p>{SENTENCE * 20}</p>") == ArticleVerdict(False, "only 1 paragraph of prose")


def test_the_minimums_are_parameters() -> None:
    assert judge(f"<p>{SENTENCE}</p>", min_paragraphs=1, min_sentences=1) == ArticleVerdict(
        True, "1 sentence in 1 paragraph"
    )
    assert not judge(ARTICLE, min_sentences=13)


def test_nothing_kept_is_no_article() -> None:
    tree = Tree.parse(ARTICLE)
    assert is_article(tree, ()) == ArticleVerdict(False, "nothing was kept")
    assert is_article(tree, (range(3, 3),)) == ArticleVerdict(False, "nothing was kept")


def test_only_kept_nodes_are_classified() -> None:
    tree = Tree.parse(f"<div id=menu><a href=/x>Menu</a></div><div>{ARTICLE}</div>")
    menu, article = tree.children(tree.body)
    assert is_article(tree, subtree(tree, article))
    assert is_article(tree, subtree(tree, menu)).reason == "no prose: nothing that was kept holds a sentence"


@pytest.mark.parametrize(
    "between",
    [
        "<h2>The storm</h2>",
        "<h2><a href='#storm'>The storm</a></h2>",
        "<figure><img src=oak.jpg><figcaption>The oak in May</figcaption></figure>",
        "<p>Advertisement</p>",
        "<ul><li>Oak<li>Ash<li>Elm<li>Yew</ul>",
        "<table><tr><th>Tree<th>Age<tr><td>Oak<td>300<tr><td>Ash<td>90</table>",
        "<pre>first line\n\nsecond line\n\nthird line</pre>",
    ],
)
def test_blocks_between_paragraphs_do_not_divide_an_article(between: str) -> None:
    assert judge(between.join([PARAGRAPH] * 4)).reason == "12 sentences in 4 paragraphs"


def test_posts_with_names_and_dates_between_are_no_article() -> None:
    post = f"<div><div>Ann of the hills</div><div>3 May 2024</div>{PARAGRAPH}</div>"
    verdict = judge(post * 10)
    assert verdict == ArticleVerdict(False, "prose in 10 pieces, the largest of 3 sentences in 1 paragraph")


def test_the_longest_run_of_prose_decides() -> None:
    teaser = f"<div>Ann</div><div>3 May</div><p>{SENTENCE}</p>"
    assert judge(teaser * 3 + "<div>Bob</div><div>4 May</div>" + ARTICLE).reason == "12 sentences in 4 paragraphs"


@pytest.mark.parametrize("headline", ["<h3><a href=/1>A storm</a></h3>", "<a href=/1><div><h3>A storm</h3></div></a>"])
def test_headlines_with_summaries_are_no_article(headline: str) -> None:
    verdict = judge(f"{headline}<p>{SENTENCE * 2}</p>" * 6)
    assert verdict == ArticleVerdict(False, "a list of headlines: 6 that are links, over 6 paragraphs")


def test_linked_section_headings_over_several_paragraphs_are_an_article() -> None:
    assert judge(f"<h2><a href=/oak>Oak</a></h2>{ARTICLE}<h2><a href=/ash>Ash</a></h2>{ARTICLE}")


def test_more_words_in_links_than_in_prose_are_a_list_of_links() -> None:
    menu = "".join(f"<li><a href=/{i}>The latest on tree number {i}</a>" for i in range(40))
    verdict = judge(ARTICLE + f"<ul>{menu}</ul>")
    assert verdict == ArticleVerdict(False, "a list of links: 240 words in links, 156 in the largest piece of prose")
    assert judge(ARTICLE + f"<ul>{menu.replace('href=/', 'href=#')}</ul>"), "a table of contents stays on the page"
    assert judge(ARTICLE + f"<ul hidden>{menu}</ul>"), "nobody sees it"


def test_a_link_around_the_start_of_what_was_kept_counts() -> None:
    tree = Tree.parse(f"<a href=/x>{ARTICLE}</a>")
    assert is_article(tree, (range(tree.body + 2, len(tree)),)).reason.startswith("a list of links")


@pytest.mark.parametrize(
    "html",
    [
        f"<meta property=og:type content=product>{ARTICLE}",
        '<script type="application/ld+json">{"@type": "QAPage"}</script>' + ARTICLE,
        '<script type="application/ld+json">{"@type": ["Product", "Thing"]}</script>' + ARTICLE,
        f"<div itemscope itemtype=https://schema.org/Comment><div>{ARTICLE}</div></div>",
    ],
)
def test_a_page_can_declare_another_type(html: str) -> None:
    assert judge(html).reason.startswith("the page marks it as ")
    assert not judge(html)


@pytest.mark.parametrize(
    "html",
    [
        f"<meta property=og:type content=article>{ARTICLE}",
        '<script type="application/ld+json">{"@type": "NewsArticle", "about": {"@type": "Product"}}</script>' + ARTICLE,
        '<script type="application/ld+json">not even JSON</script><script type="application/ld+json"></script>'
        + ARTICLE,
        f"{ARTICLE}<div itemscope itemtype=https://schema.org/Comment>{PARAGRAPH}</div>",
    ],
)
def test_an_article_with_products_or_comments_is_an_article(html: str) -> None:
    assert judge(html)


@pytest.mark.parametrize(
    "sentence",
    [
        "河边的老橡树昨夜被风暴刮倒了。",
        "Старый дуб у реки упал этой ночью. ",
        "سقطت شجرة البلوط القديمة الليلة الماضية؟ ",
        "ต้นโอ๊กเก่าแก่ริมแม่น้ำถูกพายุพัดโค่นลงเมื่อคืนที่ผ่านมา ",
    ],
    ids=["zh", "ru", "ar", "th"],
)
def test_sentences_end_in_every_script(sentence: str) -> None:
    assert judge(f"<p>{sentence * 4}</p>" * 3).reason == "12 sentences in 3 paragraphs"


def test_blank_lines_separate_paragraphs_in_a_pre() -> None:
    assert judge("<pre>" + "\n\n".join([SENTENCE * 3] * 4) + "</pre>").reason == "12 sentences in 4 paragraphs"


def test_punctuation_without_words_is_no_prose() -> None:
    assert judge("<p>!!!</p><p>...</p>" * 9).reason == "no prose: nothing that was kept holds a sentence"


def test_deep_pages_get_a_verdict() -> None:
    assert judge("<div>" * 20_000 + ARTICLE)
    assert judge("<b>" * 5_000 + ARTICLE)


PIECES = st.sampled_from(
    [PARAGRAPH, SENTENCE, "<p>", "<div>", "</div>", "<a href=/x>", "</a>", "<h2>T</h2>", "<li>a.", "<table><td>b.",
     "<br><br>", "<pre>c.\n\nd.</pre>", "<script type=application/ld+json>", "</script>", "<meta property=og:type>",
     "<p itemtype>", "<div hidden>", "<hr>"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join), st.data())
def test_any_spans_of_any_page_get_a_verdict_with_a_reason(html: str, data: st.DataObject) -> None:
    tree = Tree.parse(html)
    borders = sorted(data.draw(st.sets(st.integers(0, len(tree)), max_size=6)))
    spans = tuple(range(start, stop) for start, stop in zip(borders[::2], borders[1::2], strict=False))
    verdict = is_article(tree, spans)
    assert verdict.reason
    assert bool(verdict) is verdict.is_article
    assert verdict == is_article(tree, spans)

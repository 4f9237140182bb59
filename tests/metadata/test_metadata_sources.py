"""Each source, alone on a page, is read."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from tests.metadata.metadata_pages import HEADLINE, json_ld, metadata, names

from duramen.dom.page import Page
from duramen.metadata import Metadata
from duramen.metadata.dates import day_of

ARTICLE = '<meta property="og:type" content="article">'


def meta(**fields: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ".")}" content="{value}">' for name, value in fields.items())


@pytest.mark.parametrize(
    ("head", "source"),
    [
        (meta(author="Jane Doe", date="2024-03-05"), "meta"),
        (meta(DC__creator="Jane Doe", DC__date__issued="2024-03-05"), "dublin-core"),
        (meta(citation_author="Doe, Jane", citation_publication_date="2024/03/05"), "citation"),
        (
            '<meta property="article:author" content="Jane Doe">'
            '<meta property="article:published_time" content="2024-03-05">',
            "open-graph",
        ),
        (json_ld('{"@type": "NewsArticle", "author": {"name": "Jane Doe"}, "datePublished": "2024-03-05"}'), "json-ld"),
    ],
)
def test_a_source_of_the_head_gives_author_and_date(head: str, source: str) -> None:
    read = metadata(ARTICLE + head)
    assert (names(read), read.published) == (["Jane Doe"], date(2024, 3, 5))
    author, published = read.how("authors"), read.how("published")
    assert author is not None
    assert published is not None
    assert (author.source, published.source) == (source, source)


def short(head: str, body: str = "", url: str | None = None) -> Metadata:
    """The metadata of a page with few words over it, from nowhere."""
    top = f"<html lang=en><head><title>How oak lasts</title>{head}</head>"
    text = "<p>The heartwood, which is dark and dry, lasts for centuries when it is kept from the rain.</p>" * 4
    html = f"{top}<body><main><article><h1>How oak lasts</h1>{body}{text}</article></main></body></html>"
    return Metadata.read(Page.parse(html, url), date(2026, 6, 1))


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (json_ld('{"@type": "NewsArticle", "author": {"@type": "Person", "name": "Jane Doe"}}'), ""),
        (meta(author="Jane Doe"), ""),
        (meta(citation_author="Doe, Jane"), ""),
        (meta(DC__creator="Jane Doe"), ""),
        ("", "<p class=h-entry><a class='p-author h-card' href=/jane>Jane Doe</a></p>"),
        ("", "<p vocab=https://schema.org/ typeof=Article><b property=author>Jane Doe</b></p>"),
        ("", "<p><a rel=author href=/jane>Jane Doe</a></p>"),
    ],
    ids=["json-ld", "meta", "citation", "dublin-core", "h-entry", "rdfa", "rel"],
)
def test_an_author_who_is_declared_and_uncontradicted_is_given_under_any_headline(head: str, body: str) -> None:
    assert names(short(head, body)) == ["Jane Doe"]


@pytest.mark.parametrize("body", ["<p>By Jane Doe</p>", "<p class=byline>Jane Doe</p>"])
def test_a_byline_is_believed_on_a_page_from_nowhere(body: str) -> None:
    assert names(metadata("", body, url=None)) == ["Jane Doe"]


@pytest.mark.parametrize(
    ("head", "url"),
    [
        (meta(author="Jane Doe") + json_ld('{"@type": "Product", "name": "Oak"}'), None),
        (meta(author="Jane Doe"), "https://oak.example/"),
        (json_ld('{"@type": "Article", "author": {"@type": "Organization", "name": "Oak Works"}}'), None),
        (meta(author="Oak Works") + '<meta property="og:site_name" content="Oak Works">', "https://oak.example/shop/1"),
    ],
    ids=["a shop", "a home page", "an organisation", "the site"],
)
def test_whose_the_page_is_need_not_be_who_wrote_it(head: str, url: str | None) -> None:
    assert names(short(head, url=url)) == []


def test_who_is_declared_far_from_the_headline_need_not_have_written_the_page() -> None:
    maker = "<p itemscope itemtype=https://schema.org/WebPage>Site by <a itemprop=author>Jane Doe</a></p>"
    assert names(short("", "<p>Oak.</p>" * 70 + maker)) == []


@pytest.mark.parametrize(
    "body",
    [
        '<span itemscope itemtype="https://schema.org/Article"><b itemprop="author" itemscope><i itemprop="name">'
        'Jane Doe</i></b><time itemprop="datePublished" datetime="2024-03-05">yesterday</time></span>',
        '<p typeof="Article"><span property="schema:author">Jane Doe</span>'
        '<span property="schema:datePublished" content="2024-03-05">March</span></p>',
        '<p class="hentry"><span class="vcard author"><a class="fn">Jane Doe</a></span>'
        '<abbr class="published" title="2024-03-05">a while ago</abbr></p>',
        '<p class="h-entry"><a class="p-author h-card">Jane Doe</a>'
        '<time class="dt-published" datetime="2024-03-05"></time></p>',
        '<p><a rel="author" href="/jane">Jane Doe</a> <time datetime="2024-03-05">then</time></p>',
        '<p>By <a href="/authors/jane-doe">Jane Doe</a></p><p>March 5, 2024</p>',
        "<p>By Jane Doe</p><p>Published on 5 March 2024</p>",
        '<p class="byline">Jane Doe</p><p class="post-date">5 Mar 2024</p>',
        "<p>Written by <address>Jane Doe</address></p><p>2024-03-05</p>",
    ],
    ids=["microdata", "rdfa", "hatom", "h-entry", "rel", "profile", "lines", "named", "address"],
)
def test_a_source_of_the_body_gives_author_and_date(body: str) -> None:
    read = metadata(ARTICLE, body)
    assert (names(read), read.published) == (["Jane Doe"], date(2024, 3, 5))


@pytest.mark.parametrize(
    ("lang", "body", "name"),
    [
        ("el", "<p>Του Νίκου Παππά</p><p>5 Μαρτίου 2024</p>", "Νίκου Παππά"),
        ("pl", "<p>Autor: Jan Kowalski</p><p>5 marca 2024</p>", "Jan Kowalski"),
        ("ru", "<p>Автор: Иван Петров</p><p>5 марта 2024</p>", "Иван Петров"),
        ("zh", "<p>作者：王小明</p><p>2024年3月5日</p>", "王小明"),
        ("de", "<p>Von Anna Müller</p><p>5. März 2024</p>", "Anna Müller"),
    ],
)
def test_bylines_and_datelines_are_read_in_other_languages(lang: str, body: str, name: str) -> None:
    pytest.importorskip("dateparser")
    read = metadata(ARTICLE, body, lang=lang)
    assert (names(read), read.published) == ([name], date(2024, 3, 5))


@pytest.mark.parametrize(
    ("body", "source"),
    [
        ('<p><time datetime="2024-03-05">a while ago</time></p>', "time"),
        ("<p><time>5 March 2024</time></p>", "time"),
        ("<p>5 March 2024</p>", "dateline"),
        ('<script>var page = {"datePublished": "2024-03-05T08:00:00Z"}</script>', "script"),
    ],
    ids=["time", "time as text", "dateline", "script"],
)
def test_a_source_of_the_body_gives_a_date_alone(body: str, source: str) -> None:
    found = metadata(ARTICLE, body).how("published")
    assert found is not None
    assert (day_of(found.value), found.source) == (date(2024, 3, 5), source)


def test_a_portrait_names_the_author() -> None:
    body = '<div class="author"><img alt="Picture of Jane Doe" src="/jane.jpg"></div><p>5 March 2024</p>'
    assert names(metadata(ARTICLE, body)) == ["Jane Doe"]


@pytest.mark.parametrize(
    ("head", "source"),
    [
        ("<title>Of oaks that fall</title>", "title"),
        ('<meta property="og:title" content="Of oaks that fall">', "open-graph"),
        ('<meta name="twitter:title" content="Of oaks that fall">', "twitter"),
        ('<meta name="DC.title" content="Of oaks that fall">', "dublin-core"),
        ('<meta name="citation_title" content="Of oaks that fall">', "citation"),
        ('<meta name="title" content="Of oaks that fall">', "meta"),
        (json_ld('{"@type": "Article", "headline": "Of oaks that fall"}'), "json-ld"),
    ],
)
def test_a_source_of_the_head_gives_the_title_alone(head: str, source: str) -> None:
    found = Metadata.read(Page.parse(f"{head}<p>Text of the page.")).how("title")
    assert found is not None
    assert (found.value, found.source) == ("Of oaks that fall", source)


def test_the_site_is_read_from_each_of_its_sources() -> None:
    graph = '<meta property="og:site_name" content="The Forester">'
    described = json_ld('{"@type": "WebSite", "name": "Forester Online"}')
    assert metadata(graph + described).site == "The Forester"
    assert metadata(described + meta(**{"application-name": "App"})).site == "Forester Online"
    assert metadata(json_ld('{"@type": "Article", "publisher": {"name": "The Forester"}}')).site == "The Forester"


def test_the_address_gives_a_date() -> None:
    assert metadata(url="https://news.example/2024/03/05/oaks.html").published == date(2024, 3, 5)
    assert metadata(url="https://news.example/2024/March/5/oaks").published == date(2024, 3, 5)
    assert metadata(url="https://news.example/2024/feb/31/oaks").published is None


def test_a_time_with_a_zone_is_an_aware_moment_and_one_without_is_a_day() -> None:
    published = "article:published_time"
    zone = timezone(timedelta(hours=2))
    aware = metadata(f'{ARTICLE}<meta property="{published}" content="2024-03-05T10:30:00+02:00">')
    bare = metadata(f'{ARTICLE}<meta property="{published}" content="2024-03-05T10:30:00">')
    assert aware.published == datetime(2024, 3, 5, 10, 30, tzinfo=zone)
    assert bare.published == date(2024, 3, 5)


def test_the_last_change_is_read_apart() -> None:
    head = '{"@type": "Article", "datePublished": "2024-03-05T08:00:00Z", "dateModified": "2024-04-01T08:00:00Z"}'
    read = metadata(json_ld(head))
    assert read.published == datetime(2024, 3, 5, 8, tzinfo=UTC)
    assert read.modified == datetime(2024, 4, 1, 8, tzinfo=UTC)


def test_twitter_labels_name_the_author() -> None:
    head = meta(**{"twitter:label1": "Written by", "twitter:data1": "Jane Doe"})
    assert names(metadata(ARTICLE + head, "<p>By Jane Doe</p>")) == ["Jane Doe"]


def test_the_site_is_taken_off_the_title() -> None:
    read = metadata(f'<title>{HEADLINE} | The Forester</title><meta property="og:site_name" content="The Forester">')
    assert (read.title, read.site) == (HEADLINE, "The Forester")


def test_a_title_without_a_heading_is_that_of_the_head() -> None:
    assert Metadata.read(Page.parse("<title>Of oaks</title><p>Text")).title == "Of oaks"


def test_the_declared_language_is_a_tag_in_its_usual_spelling() -> None:
    assert metadata(lang="pt_br").language == "pt-BR"
    assert metadata('<meta property="og:locale" content="de_AT">', lang="").language == "de-AT"


def test_tags_categories_and_licence_come_from_head_and_links() -> None:
    head = '<meta property="article:tag" content="oak"><meta property="article:section" content="Trees">'
    read = metadata(head)
    assert (read.tags, read.categories, read.licence) == (("oak",), ("Trees",), None)
    body = '<a rel="tag" href="/t">decay</a> <a rel="license" href="https://cc.example/by">CC BY</a>'
    read = metadata(body=body)
    assert (read.tags, read.categories, read.licence) == (("decay",), (), "https://cc.example/by")


def test_addresses_are_made_absolute() -> None:
    read = metadata(
        '<link rel="canonical" href="/oaks"><meta property="og:image" content="/oak.jpg">',
        url="https://wood.example/x?y",
    )
    assert (read.canonical, read.image) == ("https://wood.example/oaks", "https://wood.example/oak.jpg")


def test_a_part_of_an_address_is_no_canonical_address() -> None:
    head = '<link rel="canonical" href="/oaks"><meta property="og:image" content="/oak.jpg">'
    assert (short(head).canonical, short(head).url, short(head).image) == (None, None, "/oak.jpg")
    whole = short(f'<base href="https://wood.example/">{head}')
    assert whole.canonical == "https://wood.example/oaks"


def test_images_in_one_frame_share_its_caption() -> None:
    frame = '<div class="wp-caption"><img class="caption" src="a.jpg"><img src="b.jpg"><p class="caption">Oaks'
    pictures = Metadata.read(Page.parse(frame, "https://wood.example/")).images
    assert [picture.caption for picture in pictures] == ["Oaks", "Oaks"]


def test_images_have_their_captions() -> None:
    body = (
        '<figure><img src="a.jpg" alt="An oak"><figcaption>The <b>oak</b> in May</figcaption></figure><img src="b.png">'
    )
    first, second = metadata(body=body, url="https://wood.example/").images
    assert (first.url, first.caption, first.alt) == ("https://wood.example/a.jpg", "The oak in May", "An oak")
    assert (second.url, second.caption) == ("https://wood.example/b.png", None)


def test_the_page_type_is_what_the_page_says() -> None:
    assert metadata(json_ld('{"@type": "Product", "name": "Oil"}')).page_type == "product"
    assert metadata(ARTICLE).page_type == "article"
    assert metadata().page_type is None


def test_agreement_makes_surer() -> None:
    one = metadata(ARTICLE, "<p>By Jane Doe</p>").how("authors")
    two = metadata(ARTICLE + meta(author="Jane Doe"), "<p>By Jane Doe</p>").how("authors")
    assert one is not None
    assert two is not None
    assert two.confidence > one.confidence


def test_several_authors_are_each_named_once() -> None:
    head = json_ld('{"@type": "Article", "author": [{"name": "Jane Doe"}, {"name": "John Roe"}, {"name": "jane doe"}]}')
    assert names(metadata(head, "<p>By Jane Doe and John Roe</p>")) == ["Jane Doe", "John Roe"]


def test_an_organisation_is_told_from_a_person() -> None:
    head = '{"@type": "Article", "author": {"@type": "Organization", "name": "Oak and Elm Society"}}'
    (author,) = metadata(json_ld(head), "<p>By Oak and Elm Society</p>").authors
    assert (author.name, author.kind) == ("Oak and Elm Society", "organisation")

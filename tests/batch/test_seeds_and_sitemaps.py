"""Sitemaps, feeds and lists: the addresses they hold, and what becomes of those that play tricks."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("aiohttp")

from tests.batch import tricky_site as tricks
from tests.batch.tricky_site import Site, html, served, status, text

from duramen.batch.crawl import Crawler, CrawlSettings, FetchResult
from duramen.batch.crawl.seeds import holds_urls, make_target_streams
from duramen.batch.crawl.sitemaps import (
    decompress,
    find_encoding,
    is_feed,
    is_sitemap,
    is_url_list,
    read_sitemap,
    read_url_list,
)
from duramen.errors import InputError

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urlset(*addresses: str) -> str:
    urls = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}">{urls}</urlset>'


def index(*addresses: str) -> str:
    maps = "".join(f"<sitemap><loc>{address}</loc></sitemap>" for address in addresses)
    return f'<?xml version="1.0"?><sitemapindex xmlns="{NAMESPACE}">{maps}</sitemapindex>'


# ReadSettings


def test_the_pages_of_a_sitemap_are_read_in_order() -> None:
    assert read_sitemap(urlset("https://a.example/1", " https://a.example/2?x&amp;y\n").encode()).pages == (
        "https://a.example/1",
        "https://a.example/2?x&y",
    )


def test_sitemaps_of_an_index_are_not_pages() -> None:
    found = read_sitemap(index("https://a.example/1.xml").encode())
    assert (found.pages, found.sitemaps) == ((), ("https://a.example/1.xml",))


def test_images_and_videos_are_not_pages() -> None:
    data = urlset(
        "https://a.example/</loc><image:image xmlns:image='i'><image:loc>https://i.example/</image:loc></image:image><x>"
    )
    data = data.replace("<x></loc>", "")
    assert read_sitemap(data.encode()).pages == ("https://a.example/",)


def test_namespaces_and_their_absence_do_not_matter() -> None:
    data = "<s:urlset xmlns:s='x'><s:url><s:loc>https://a.example/</s:loc></s:url></s:urlset>"
    assert read_sitemap(data.encode()).pages == ("https://a.example/",)
    assert read_sitemap(data.replace(" xmlns:s='x'", "").encode()).pages == ("https://a.example/",)
    assert is_sitemap(data.encode())


def test_relative_urls_are_relative_to_the_sitemap() -> None:
    assert read_sitemap(urlset("/1", "2").encode(), "https://a.example/maps/s.xml").pages == (
        "https://a.example/1",
        "https://a.example/maps/2",
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_the_encoding_that_the_xml_declares_is_used(encoding: str) -> None:
    data = urlset("https://a.example/é").replace("UTF-8", encoding).encode(encoding)
    assert read_sitemap(data).pages == ("https://a.example/é",)


BOMB = """<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "ha">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<urlset><url><loc>https://a.example/&c;</loc></url></urlset>"""


@pytest.mark.parametrize(
    "data",
    [
        BOMB,
        BOMB.replace('a "ha"', 'a SYSTEM "file:///etc/hostname"'),
        BOMB.replace('a "ha"', '% a SYSTEM "http://127.0.0.1/x.dtd"'),
    ],
)
def test_a_sitemap_that_declares_entities_is_refused(data: str) -> None:
    found = read_sitemap(data.encode())
    assert found.pages == ()
    assert found.problem is not None


def test_the_message_names_the_entities() -> None:
    assert read_sitemap(BOMB.encode()).problem == (
        "the sitemap cannot be read: it declares entities, which no sitemap needs"
    )


def test_urls_before_the_error_in_a_broken_sitemap_are_used() -> None:
    data = urlset("https://a.example/1", "https://a.example/2", "https://a.example/3").encode()
    found = read_sitemap(data[:-40])
    assert found.pages == ("https://a.example/1", "https://a.example/2")
    assert found.problem == "the sitemap is broken in line 2 (no element found)"


@settings(max_examples=40, deadline=None)
@given(
    st.binary(max_size=300)
    | st.text(max_size=300).map(lambda text: f"<urlset><url><loc>{text}".encode(errors="replace"))
)
def test_arbitrary_bytes_do_not_crash_the_reader(data: bytes) -> None:
    read_sitemap(data)
    is_sitemap(data), is_feed(data), is_url_list(data)
    list(read_url_list(BytesIO(data), find_encoding(data)))


def test_a_hundred_thousand_nested_elements_are_read() -> None:
    assert read_sitemap(b"<url>" * 100_000 + b"<loc>https://a.example/</loc>").pages == ("https://a.example/",)


def test_a_very_long_url_is_left_out() -> None:
    assert read_sitemap(urlset("https://a.example/" + "x" * 10_000, "https://a.example/").encode()).pages == (
        "https://a.example/",
    )


def test_gzip_is_decompressed_up_to_the_limit() -> None:
    assert decompress(gzip.compress(b"one") + gzip.compress(b" two")) == b"one two"
    assert decompress(b"plain") == b"plain"
    with pytest.raises(InputError, match="larger than 1,000 bytes"):
        decompress(gzip.compress(b"\0" * 100_000), 1_000)
    with pytest.raises(InputError):
        decompress(gzip.compress(b"\0" * 100_000)[:-10])
    with pytest.raises(InputError, match="damaged"):
        decompress(b"\x1f\x8b\x08\x00 this is no gzip")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (urlset(), "sitemap"),
        (index(), "sitemap"),
        ("<!-- <rss> --><?xml-stylesheet?><urlset>", "sitemap"),
        ("<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset>", "sitemap"),
        ("<?xml version='1.0'?><rss version='2.0'>", "feed"),
        ("<rdf:RDF xmlns:rdf='r'>", "feed"),
        ('\ufeff<feed xmlns="http://www.w3.org/2005/Atom">', "feed"),
        ('{"title": "x", "version": "https://jsonfeed.org/version/1.1"}', "feed"),
        ('{"version":"https:\\/\\/jsonfeed.org\\/version\\/1"}', "feed"),
        ("https://a.example/\n", "list"),
        ("# pages\n\n  https://a.example/ \nno matter what", "list"),
        ("\ufeffHTTP://A.EXAMPLE", "list"),
        ("<!doctype html><html><body>", ""),
        ('{"version": 1}', ""),
        ("https://a.example is where I live", ""),
        ("Some words.", ""),
        ("", ""),
        ("<?a?>" * 5_000, ""),
        ("<!---->" * 5_000 + "<", ""),
    ],
)
def test_the_first_bytes_decide_what_a_file_is(data: str, kind: str) -> None:
    read = data.encode()
    assert [
        name for name, is_it in (("sitemap", is_sitemap), ("feed", is_feed), ("list", is_url_list)) if is_it(read)
    ] == ([kind] if kind else [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_list_gives_line_numbers_in_all_encodings(encoding: str, ends: str) -> None:
    lines = ["# pages", "", " https://a.example/1 ", "https://a.example/ü"]
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    data = (mark + ends.join(lines)).encode(encoding)
    assert is_url_list(data)
    assert list(read_url_list(BytesIO(data), find_encoding(data))) == [
        (3, "https://a.example/1"),
        (4, "https://a.example/ü"),
    ]


# Following


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as running:
        yield running


def crawl(*seeds: str, **crawl_settings: object) -> list[FetchResult]:
    options = CrawlSettings(**{"delay": 0, "per_host": 8, "backoff": 0.01, "allow_private": True, **crawl_settings})  # type: ignore[arg-type]
    with Crawler(make_target_streams(seeds, options), options) as results:
        return sorted(results, key=lambda result: (result.target.source, result.target.position))


def found(results: list[FetchResult]) -> list[tuple[str, int]]:
    return [(result.target.url.rpartition("/")[2], result.target.position) for result in results if result.page]


def errors(results: list[FetchResult]) -> list[str]:
    return [result.error for result in results if result.error]


def test_a_url_of_html_is_a_page(site: Site) -> None:
    (result,) = crawl(site.url("/page"))
    assert result.page is not None
    assert (result.target.source, result.target.position) == (site.url("/page"), 0)
    assert site.hits()["/page"] == 1


def test_an_index_gives_the_pages_of_plain_and_gzipped_sitemaps(site: Site) -> None:
    site.pages |= {
        "/index.xml": text(index(site.url("/1.xml.gz"), site.url("/2.xml"), site.url("/3.txt")), "application/xml"),
        "/1.xml.gz": text(gzip.compress(urlset(site.url("/a"), site.url("/b")).encode()), "application/gzip"),
        "/2.xml": text(urlset(site.url("/c"), site.url("/a")), "text/xml"),
        "/3.txt": text(f"{site.url('/d')}\n"),
    }
    results = crawl(site.url("/index.xml"))
    assert found(results) == [("a", 1), ("b", 2), ("c", 1), ("d", 1)]
    assert {result.target.source for result in results} == {site.url(p) for p in ("/1.xml.gz", "/2.xml", "/3.txt")}


def test_a_robots_txt_gives_the_pages_of_its_sitemaps(site: Site) -> None:
    site.pages["/robots.txt"] = text(f"User-agent: *\nAllow: /\nSitemap: {site.url('/map.xml')}")
    site.pages["/map.xml"] = text(urlset(site.url("/a")), "text/xml")
    assert found(crawl(site.url("/robots.txt"))) == [("a", 1)]


def test_a_robots_txt_without_sitemaps_is_an_error(site: Site) -> None:
    assert errors(crawl(site.url("/robots.txt"))) == [
        "unreadable: this robots.txt names no sitemap, or cannot be fetched"
    ]


def test_sitemaps_that_name_each_other_are_read_once(site: Site) -> None:
    site.pages |= {"/1.xml": text(index(site.url("/2.xml"))), "/2.xml": text(index(site.url("/1.xml")))}
    assert crawl(site.url("/1.xml")) == []
    assert site.hits() == {"/robots.txt": 1, "/1.xml": 1, "/2.xml": 1}


def test_sitemaps_are_followed_to_a_limited_depth(site: Site) -> None:
    for number in range(10):
        site.pages[f"/{number}.xml"] = text(index(site.url(f"/{number + 1}.xml")))
    (output,) = errors(crawl(site.url("/0.xml")))
    assert output == "unreadable: sitemaps nested deeper than 4 levels: not followed"
    assert not site.hits()["/5.xml"]


def test_a_sitemap_gives_a_limited_number_of_urls(site: Site) -> None:
    site.pages["/1.xml"] = text(index(site.url("/2.xml"), site.url("/3.xml")))
    for name in ("/2.xml", "/3.xml"):
        site.pages[name] = text(urlset(*[site.url(f"{name}/{number}") for number in range(3)]))
    results = crawl(site.url("/1.xml"), max_addresses=4)
    assert len(found(results)) == 4
    assert errors(results) == ["unreadable: more than 4 URLs: the rest was left out"]


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (status(404), "status: HTTP status 404"),
        (html(), "unreadable: this is neither a sitemap nor a feed"),
        (text(BOMB), "unreadable: the sitemap cannot be read: it declares entities"),
        (text(gzip.compress(b"\0" * 60_000_000)), "unreadable: larger than 52,428,800 bytes"),
        (tricks.bomb(60_000_000), "too-large: "),
        (text(gzip.compress(urlset("https://a.example/").encode())[:-9]), "unreadable: the packed page is cut off"),
    ],
)
def test_a_sitemap_that_cannot_be_read_is_an_error_and_the_others_are_read(
    site: Site, page: tricks.Page, sentence: str
) -> None:
    site.pages |= {"/1.xml": text(index(site.url("/bad.xml"), site.url("/2.xml"))), "/bad.xml": page}
    site.pages["/2.xml"] = text(urlset(site.url("/a")))
    results = crawl(site.url("/1.xml"))
    assert found(results) == [("a", 1)]
    assert [output[: len(sentence)] for output in errors(results)] == [sentence]


def test_a_broken_sitemap_gives_its_first_urls_and_an_error(site: Site) -> None:
    site.pages["/1.xml"] = text(urlset(site.url("/a"), site.url("/b"))[:-15])
    results = crawl(site.url("/1.xml"))
    assert found(results) == [("a", 1), ("b", 2)]
    assert errors(results) == [
        "unreadable: the sitemap is broken in line 2 (no element found); the URLs before that are used: 2"
    ]


RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>
<item><title>One</title><link>{0}</link></item><item><title>No link</title></item>
<item><title>Two</title><link>/two</link></item></channel></rss>"""


def test_a_feed_gives_the_pages_of_its_items(site: Site) -> None:
    site.pages["/feed"] = text(RSS.format(site.url("/one")), "application/rss+xml")
    site.pages["/feed.json"] = text(
        '{"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": [{"id": "3", "url": "/three"}]}',
        "application/feed+json",
    )
    results = crawl(site.url("/feed"), site.url("/feed.json"))
    assert found(results) == [("one", 1), ("two", 3), ("three", 1)]


def test_a_feed_without_items_is_an_error(site: Site) -> None:
    site.pages["/feed"] = text("<rss version='2.0'><channel><title>t</title></channel></rss>")
    assert errors(crawl(site.url("/feed"))) == ["unreadable: the feed 't' has no items"]


def test_lists_feeds_and_sitemaps_may_be_local_files(site: Site, tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(f"# mine\n{site.url('/a')}\n\n{site.url('/b')}")
    (tmp_path / "map.xml.gz").write_bytes(gzip.compress(urlset(site.url("/c")).encode()))
    (tmp_path / "feed.xml").write_text(RSS.format(site.url("/d")))
    names = [str(tmp_path / name) for name in ("urls.txt", "map.xml.gz", "feed.xml")]
    assert all(map(holds_urls, names))
    results = crawl(*names)
    assert sorted(found(results)) == [("a", 2), ("b", 4), ("c", 1), ("d", 1)]
    assert errors(results) == ["address: a URL needs a scheme and a host: write it as https://host/path"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_list_in_another_encoding_is_a_list(site: Site, tmp_path: Path, encoding: str) -> None:
    lines = [site.url(f"/{name}") for name in "abc"]
    (tmp_path / "urls.txt").write_text("\r\n".join(lines), encoding, newline="")
    site.pages["/urls"] = text("\n".join(lines).encode(encoding), "text/plain")
    assert holds_urls(str(tmp_path / "urls.txt"))
    assert sorted(found(crawl(str(tmp_path / "urls.txt")))) == [("a", 1), ("b", 2), ("c", 3)]
    assert sorted(found(crawl(site.url("/urls")))) == [("a", 1), ("b", 2), ("c", 3)]


def test_a_long_list_is_read_line_by_line(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "urls.txt"
    path.write_text("".join(f"ftp://host/{number}\n" for number in range(12_000)).replace("ftp", "http", 1))
    assert len(crawl(str(path), robots=False, retries=0, allow_private=False)) == 12_000


@pytest.mark.parametrize("content", [None, b"", b"<html>", b"no addresses"])
def test_a_local_file_without_urls_is_an_error(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "urls.txt"
    if content is not None:
        path.write_bytes(content)
    assert not holds_urls(str(path))
    (output,) = errors(crawl(str(path)))
    assert output.startswith("unreadable: ")


@pytest.mark.parametrize(
    ("end", "kept"), [("<item><title>Two</title><link>/tw", 1), ("</channel>", 2), ("two</link>", 1)]
)
def test_a_feed_that_is_cut_off_gives_its_complete_items_and_an_error(site: Site, end: str, kept: int) -> None:
    whole = RSS.format(site.url("/one"))
    site.pages["/feed"] = text(whole[: whole.index(end) + len(end)], "application/rss+xml")
    results = crawl(site.url("/feed"))
    assert [name for name, _ in found(results)] == ["one", "two"][:kept]
    assert errors(results) == [f"unreadable: the feed is cut off; the URLs before that are used: {kept}"]


def test_a_file_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "urls.txt.gz"
    path.write_bytes(gzip.compress(b"ftp://host/\n")[:-6])
    assert errors(crawl(str(path))) == ["unreadable: it ends too early"]


def test_a_response_that_is_neither_page_nor_list_is_refused(site: Site) -> None:
    site.pages["/picture"] = text(b"\xff\xd8", "image/jpeg")
    assert errors(crawl(site.url("/picture"))) == ["not-html: this is image/jpeg, not an HTML page"]
    assert errors(crawl(site.url("/page"), max_bytes=10)) == ["too-large: larger than 10 bytes"]

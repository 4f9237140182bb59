"""Downloads: what arrives, what is refused, and how considerate they are. All of it from a site on this computer."""

from __future__ import annotations

import gzip
import socket
import sys
import threading
import time
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

pytest.importorskip("aiohttp")

from tests.batch import tricky_site as tricks
from tests.batch.tricky_site import PAGE, Site, html, redirect, served, status, text

from duramen.batch.crawl import Crawler, CrawlSettings, FetchResult, FetchTarget, HttpResponse
from duramen.batch.crawl.client import Client
from duramen.batch.crawl.crawler import TargetStream
from duramen.batch.crawl.fetcher import Fetcher
from duramen.batch.crawl.robots import find_agent_name
from duramen.errors import MissingExtraError, UsageError
from duramen.net import private_networks as network
from duramen.net.private_networks import AddressInfo

HOSTS = {"one.example": ["127.0.0.1"], "two.example": ["127.0.0.1"], "mixed.example": ["127.0.0.1", "10.0.0.1"]}
"""Names that this computer goes by in the tests, as if it were on the public internet."""


@pytest.fixture(autouse=True)
def public(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 counts as a public address here; every other of this computer's does not."""
    real_kind, real_look_up = network.private_kind, network.look_up

    def look_up(host: str, port: int) -> Sequence[AddressInfo]:
        if host in HOSTS:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in HOSTS[host]]
        return real_look_up(host, port)

    monkeypatch.setattr(network, "look_up", look_up)
    monkeypatch.setattr(network, "private_kind", lambda at: None if at == "127.0.0.1" else real_kind(at))


@pytest.fixture
def site() -> Iterator[Site]:
    with served() as running:
        yield running


def listed(urls: Sequence[str]) -> TargetStream:
    async def stream(fetcher: Fetcher) -> AsyncIterator[FetchTarget | FetchResult]:
        for number, url in enumerate(urls, 1):
            yield FetchTarget(url, "list", number)

    return stream


def quick(**crawl_settings: object) -> CrawlSettings:
    return CrawlSettings(**{"delay": 0, "backoff": 0.01, "timeout": 20, **crawl_settings})  # type: ignore[arg-type]


def download(*urls: str, **crawl_settings: object) -> list[FetchResult]:
    """The outcomes in the order of the addresses."""
    with Crawler([listed(urls)], quick(**crawl_settings)) as crawl:
        return sorted(crawl, key=lambda result: result.target.position)


def error(url: str, **crawl_settings: object) -> str:
    (result,) = download(url, **crawl_settings)
    assert result.page is None
    assert result.error
    return result.error


def test_a_page_is_downloaded_completely(site: Site) -> None:
    (result,) = download(site.url("/page"))
    assert result.error is None
    assert result.page is not None
    assert (result.page.url, result.page.status, result.page.body) == (site.url("/page"), 200, PAGE)
    assert result.page.header("content-type") == "text/html; charset=utf-8"


def test_every_target_has_one_result(site: Site) -> None:
    site.pages |= {"/no": status(404), "/pdf": text("%PDF", "application/pdf")}
    urls = [site.url(path) for path in ("/a", "/b", "/no", "/pdf")] + ["ftp://host/", "http://no-host.invalid/", ""]
    results = download(*urls)
    assert [result.target.url for result in results] == urls
    assert [(result.error or "").partition(":")[0] for result in results] == [
        *("", "", "status", "not-html", "address", "download", "address")
    ]


def test_the_user_agent_is_honest_and_can_be_set(site: Site) -> None:
    site.pages["/who"] = lambda visit: visit.send(visit.headers["User-Agent"].encode(), Content_Type="text/html")
    assert download(site.url("/who"))[0].page.body.startswith(b"duramen")  # type: ignore[union-attr]
    assert download(site.url("/who"), user_agent="mine/1")[0].page.body == b"mine/1"  # type: ignore[union-attr]


@pytest.mark.parametrize("agent", ["", " ", "two\r\nlines: yes", "größe"])
def test_a_user_agent_that_cannot_be_sent_is_refused(agent: str) -> None:
    with pytest.raises(UsageError, match="user agent"):
        CrawlSettings(user_agent=agent)


def test_no_cookie_is_sent_back(site: Site) -> None:
    site.pages["/set"] = lambda visit: visit.send(b"", 302, Location="/seen", Set_Cookie="a=b")
    site.pages["/seen"] = lambda visit: visit.send(str(visit.headers["Cookie"]).encode(), Content_Type="text/html")
    assert download(site.url("/set"))[0].page.body == b"None"  # type: ignore[union-attr]


def test_a_password_is_neither_sent_nor_shown(site: Site) -> None:
    output = error(site.url("/x").replace("//", "//me:secret@"))
    assert "user name or a password" in output
    assert "secret" not in output
    assert not site.hits()


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        (text("%PDF", "application/pdf"), "application/pdf"),
        (text("words"), "text/plain"),
        (lambda visit: visit.send(b"words"), "of unknown type, and without markup"),
        (lambda visit: visit.send(b""), "of unknown type, and without markup"),
    ],
)
def test_responses_that_are_not_html_are_refused_with_their_type(site: Site, page: tricks.Page, kind: str) -> None:
    site.pages["/other"] = page
    assert error(site.url("/other")) == f"not-html: this is {kind}, not an HTML page"


def test_a_response_without_content_type_may_be_a_page(site: Site) -> None:
    site.pages["/page"] = lambda visit: visit.send(PAGE)
    assert download(site.url("/page"))[0].page is not None


# Redirects


def test_redirects_are_followed_and_all_responses_are_kept(site: Site) -> None:
    site.pages |= {"/old": redirect("/older", 301), "/older": redirect("page?x=1", 307)}
    (result,) = download(site.url("/old"))
    assert [answer.status for answer in result.responses] == [301, 307, 200]
    assert result.page is not None
    assert result.page.url == site.url("/page?x=1")


def test_a_circle_of_redirects_ends(site: Site) -> None:
    site.pages["/loop"] = redirect("/loop")
    assert error(site.url("/loop"), max_redirects=3) == (
        "redirects: more than 3 redirects: the site redirects in a circle"
    )
    assert site.hits()["/loop"] == 4


@pytest.mark.parametrize(
    "location", ["file:///etc/hostname", "ftp://host/", "http://[broken", "javascript:1", "gopher://x"]
)
def test_a_redirect_to_another_scheme_is_refused(site: Site, location: str) -> None:
    site.pages["/away"] = redirect(location)
    assert error(site.url("/away")).startswith("address: ")


# The local network


@pytest.mark.parametrize(
    "host", ["127.0.0.2", "[::1]", "[::ffff:127.0.0.2]", "0.0.0.0", "10.0.0.1", "169.254.169.254", "[fe80::1]"]
)
@pytest.mark.parametrize("robots", [True, False])
def test_an_address_of_the_local_network_is_refused(site: Site, host: str, robots: bool) -> None:
    assert error(site.url("/", host), robots=robots, retries=0).startswith("private: ")


@pytest.mark.parametrize("host", ["2130706434", "0177.0.0.2", "0x7f.2", "127.2", "0"])
def test_no_spelling_of_a_private_address_is_reached(site: Site, host: str) -> None:
    assert error(site.url("/", host), retries=0).partition(":")[0] in ("private", "address")
    assert not site.hits()


def test_a_redirect_into_the_local_network_is_refused(site: Site) -> None:
    site.pages["/away"] = redirect(site.url("/inside", "127.0.0.2"))
    assert error(site.url("/away", "one.example")) == (
        "private: 127.0.0.2 is this computer, not on the public internet: refused"
        " (--allow-private allows the local network)"
    )
    assert not site.hits()["/inside"]


def test_a_name_with_one_private_address_is_refused(site: Site) -> None:
    assert "mixed.example (10.0.0.1) is in a private network" in error(site.url("/", "mixed.example"))
    assert not site.hits()


def test_a_name_is_not_looked_up_again_after_the_check(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """DNS rebinding: public when it is checked, private when it is used."""
    answers = iter(["127.0.0.1"] + ["127.0.0.2"] * 99)
    asked = []

    def look_up(host: str, port: int) -> Sequence[AddressInfo]:
        asked.append(next(answers))
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (asked[-1], port))]

    monkeypatch.setattr(network, "look_up", look_up)
    (result,) = download(site.url("/page", "rebinding.example"), robots=False)
    assert result.error is None
    assert asked == ["127.0.0.1"]


def test_the_local_network_can_be_allowed(site: Site) -> None:
    (result,) = download(site.url("/page", "localhost"), allow_private=True)
    assert result.page is not None


@pytest.mark.parametrize("host", ["169.254.169.254", "[fe80::1]", "0xa9.254.43518", "metadata.example"])
def test_a_link_local_address_is_not_allowed_with_it(site: Site, monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setitem(HOSTS, "metadata.example", ["169.254.169.254"])
    site.pages["/away"] = redirect(f"http://{host}/latest")
    assert "is a link-local address" in error(site.url("/away", "localhost"), allow_private=True, retries=0)
    assert error(f"http://{host}/", allow_private=True, retries=0).startswith("private: ")


# Limits


@pytest.mark.parametrize("page", [tricks.endless, tricks.bomb(), html(b"x" * 200_000), tricks.packed(b"x" * 200_000)])
def test_a_page_that_is_too_large_stops_at_the_limit(site: Site, page: tricks.Page) -> None:
    site.pages["/large"] = page
    assert error(site.url("/large"), max_bytes=100_000).startswith("too-large: larger than 100,000 bytes")
    assert site.hits()["/large"] == 1


@pytest.mark.parametrize("page", [tricks.drip, tricks.slow(30)])
def test_a_page_that_takes_too_long_is_given_up(site: Site, page: tricks.Page) -> None:
    site.pages["/slow"] = page
    assert error(site.url("/slow"), timeout=0.3, retries=1, robots=False) == (
        "download: no complete response in 0.3 s (tried 2 times)"
    )


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_compressed_page_is_decompressed(site: Site, encoding: str) -> None:
    pack = gzip.compress if encoding == "gzip" else zlib.compress
    site.pages["/packed"] = tricks.packed(pack(PAGE), encoding)
    assert download(site.url("/packed"))[0].page.body == PAGE  # type: ignore[union-attr]


# Failures


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        (tricks.short, "was lost in the middle of the page"),
        (tricks.cut_chunks, "was lost in the middle of the page"),
        (tricks.hang_up, "the connection was lost"),
        (tricks.packed(b"\x1f\x8b\x08\x00 this is no gzip"), "damaged"),
        (tricks.packed(gzip.compress(PAGE * 9)[:-9]), "cut off"),
    ],
)
def test_a_temporary_failure_is_retried(site: Site, page: tricks.Page, sentence: str) -> None:
    site.pages["/broken"] = page
    output = error(site.url("/broken"))
    assert sentence in output
    assert output.endswith("(tried 3 times)")
    site.pages["/passing"] = tricks.in_turn(page, html())
    assert download(site.url("/passing"))[0].page is not None


@pytest.mark.parametrize("page", [tricks.babble, tricks.packed(b"?", "br"), status(404), status(410), status(501)])
def test_a_permanent_failure_is_not_retried(site: Site, page: tricks.Page) -> None:
    site.pages["/broken"] = page
    assert "\n" not in error(site.url("/broken"))
    assert site.hits()["/broken"] == 1


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_server_error_is_retried(site: Site, code: int) -> None:
    site.pages |= {"/once": tricks.in_turn(status(code), html()), "/always": status(code)}
    once, always = download(site.url("/once"), site.url("/always"))
    assert once.page is not None
    assert always.error
    assert always.error.startswith(f"status: HTTP status {code}")
    assert site.hits()["/always"] == 3


def test_retry_after_delays_all_requests_to_the_host(site: Site) -> None:
    site.pages["/busy"] = tricks.in_turn(status(429, Retry_After="1"), html())
    site.pages["/other"] = html()
    assert all(result.page for result in download(site.url("/busy"), site.url("/other")))
    first, second = site.times("/busy")
    assert second - first > 0.95
    assert site.times("/other")[0] - first > 0.95


def test_retry_after_may_be_a_date(site: Site) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    site.pages["/busy"] = status(503, Retry_After=later)
    assert "asks to wait 3600 s, more than the 60 s allowed" in error(site.url("/busy")).replace("3599", "3600")
    assert site.hits()["/busy"] == 1


@pytest.mark.parametrize("value", ["soon", "-5", "²", "1e9", "Mon, 99 Foo 2020 99:99:99 GMT", ""])
def test_an_invalid_retry_after_is_ignored(site: Site, value: str) -> None:
    site.pages["/busy"] = tricks.in_turn(
        lambda visit: visit.send(b"", 503, Retry_After=value.encode().decode("latin-1")), html()
    )
    assert download(site.url("/busy"))[0].page is not None


def test_a_host_that_never_answers_is_no_longer_asked(site: Site) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    urls = [f"http://127.0.0.1:{port}/{number}" for number in range(20)]
    results = download(*urls, robots=False, retries=0)
    output = [result.error or "" for result in results]
    assert sum("refused" in sentence for sentence in output) == 8
    assert sum("no longer asked" in sentence for sentence in output) == 12


# robots.txt


def robots(rules: str) -> tricks.Page:
    return text(rules)


def test_robots_txt_is_fetched_once_and_obeyed(site: Site) -> None:
    site.pages["/robots.txt"] = robots("User-agent: *\nDisallow: /private\nAllow: /private/open")
    paths = ["/a", "/b", "/private/x", "/private/open"]
    results = download(*[site.url(path) for path in paths])
    assert [result.page is not None for result in results] == [True, True, False, True]
    assert results[2].error == "robots: the site's robots.txt asks robots not to fetch this"
    assert site.hits() == {"/robots.txt": 1, "/a": 1, "/b": 1, "/private/open": 1}


def test_the_rules_for_the_name_of_the_robot_apply(site: Site) -> None:
    site.pages["/robots.txt"] = robots("User-agent: mybot\nDisallow: /\n\nUser-agent: *\nAllow: /")
    assert error(site.url(), user_agent="mybot/1.0 (+https://example.org)").startswith("robots: ")
    assert error(site.url(), user_agent="Mozilla/5.0 (compatible; MyBot/1.0)").startswith("robots: ")
    assert download(site.url(), user_agent="mine/1.0 (not mybot)")[0].page is not None


def test_the_name_of_a_robot_is_the_first_word_of_its_user_agent() -> None:
    assert find_agent_name("duramen/1.0 (Python library)") == "duramen"
    assert find_agent_name("My bot") == "My"


@pytest.mark.parametrize("code", [401, 403, 404, 410])
def test_without_robots_txt_everything_is_allowed(site: Site, code: int) -> None:
    site.pages["/robots.txt"] = status(code)
    assert download(site.url())[0].page is not None


@pytest.mark.parametrize("page", [status(500), status(429), tricks.hang_up, redirect("/robots.txt")])
def test_nothing_is_allowed_if_robots_txt_cannot_be_fetched(site: Site, page: tricks.Page) -> None:
    site.pages["/robots.txt"] = page
    assert error(site.url("/page"))
    assert not site.hits()["/page"]


def test_the_robots_txt_of_a_redirect_target_is_obeyed(site: Site) -> None:
    site.pages["/robots.txt"] = lambda visit: robots(
        "User-agent: *\nDisallow: /page" if visit.headers["Host"].startswith("two") else ""
    )(visit)
    site.pages["/away"] = redirect(site.url("/page", "two.example"))
    assert error(site.url("/away", "one.example")).startswith("robots: ")
    assert not site.hits()["/page"]


@pytest.mark.parametrize("rule", ["Crawl-delay: 0.5", "Request-rate: 2/1"])
def test_the_delay_that_a_site_asks_for_is_kept(site: Site, rule: str) -> None:
    site.pages["/robots.txt"] = robots(f"User-agent: *\n{rule}")
    begun = time.monotonic()
    download(*[site.url(f"/{number}") for number in range(3)], per_host=3)
    assert time.monotonic() - begun >= 2 * 0.5


def test_a_site_that_asks_for_too_long_a_delay_is_skipped(site: Site) -> None:
    site.pages["/robots.txt"] = robots("User-agent: *\nCrawl-delay: 3600")
    assert "asks for 3600 s between requests" in error(site.url("/page"))
    assert not site.hits()["/page"]


def test_robots_txt_can_be_ignored(site: Site) -> None:
    site.pages["/robots.txt"] = robots("User-agent: *\nDisallow: /")
    assert download(site.url(), robots=False)[0].page is not None
    assert site.hits() == {"/": 1}


# CrawlSettings


def test_requests_to_a_host_are_delayed(site: Site) -> None:
    begun = time.monotonic()
    download(*[site.url(f"/{number}") for number in range(4)], delay=0.2, per_host=4)
    assert time.monotonic() - begun >= 4 * 0.2, "between robots.txt and four pages are four delays"


@pytest.mark.parametrize("per_host", [1, 2])
def test_simultaneous_requests_to_a_host_are_limited(site: Site, per_host: int) -> None:
    site.pages["*"] = tricks.slow(0.05)
    download(*[site.url(f"/{number}") for number in range(8)], per_host=per_host)
    assert site.most <= per_host


def test_simultaneous_requests_to_all_hosts_are_limited(site: Site) -> None:
    site.pages["*"] = tricks.slow(0.05)
    urls = [site.url(f"/{number}", host) for number in range(5) for host in ("127.0.0.1", "one.example", "two.example")]
    download(*urls, concurrency=2, per_host=5)
    assert site.most <= 2


def test_a_url_is_downloaded_once_in_all_its_spellings(site: Site) -> None:
    urls = [site.url("/é"), site.url("/%C3%A9#part"), site.url("/é")]
    with Crawler([listed(urls)], quick()) as crawl:
        assert len(list(crawl)) == 1
    assert crawl.skipped == {"address seen before": 2}
    assert site.hits()["/%C3%A9"] == 1


def test_results_that_are_not_taken_slow_the_downloads_down(site: Site) -> None:
    urls = [site.url(f"/{number}") for number in range(60)]
    with Crawler([listed(urls)], quick(concurrency=2, per_host=60, robots=False)) as crawl:
        time.sleep(0.5)
        assert len(site.asked) <= 4
        assert len(list(crawl)) == 60


def test_a_crawl_can_be_left_before_its_end(site: Site) -> None:
    site.pages["*"] = tricks.slow(30)
    site.pages["/quick"] = html()
    with Crawler([listed([site.url("/quick"), site.url("/slow")])], quick(per_host=2, robots=False)) as crawl:
        assert next(iter(crawl)).target.url == site.url("/quick")
    assert not [thread for thread in threading.enumerate() if thread.name == "duramen-crawl"]


def test_an_error_in_a_stream_is_raised_in_the_callers_thread() -> None:
    async def broken(fetcher: Fetcher) -> AsyncIterator[FetchTarget | FetchResult]:
        raise ZeroDivisionError
        yield

    with pytest.raises(ZeroDivisionError), Crawler([broken], quick()) as crawl:
        list(crawl)


def test_an_unexpected_error_is_the_error_of_one_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Client.get

    async def get(self: Client, url: str, **options: Any) -> HttpResponse:
        if url.endswith("/odd"):
            raise AssertionError("what now?")
        return await real(self, url, **options)

    monkeypatch.setattr(Client, "get", get)
    odd, even = download(site.url("/odd"), site.url("/even"))
    assert odd.error == "download: unexpected AssertionError: what now?"
    assert even.page is not None


@pytest.mark.parametrize("library", ["aiohttp", "protego"])
def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, site: Site, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=rf"{library}: install it with .*duramen\[download\]"):
        download(site.url())


@pytest.mark.parametrize(
    "wrong", [{"delay": -1}, {"per_host": 0}, {"timeout": 0}, {"delay": float("nan")}, {"retries": -1}]
)
def test_invalid_crawl_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        CrawlSettings(**wrong)  # type: ignore[arg-type]


def test_crawl_settings_survive_json() -> None:
    crawl_settings = CrawlSettings(delay=2.5, allow_private=True)
    assert CrawlSettings.from_json(crawl_settings.to_json()) == crawl_settings

"""The public interface: options are arguments, public names are complete, wrappers load by their format."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import duramen
from duramen.errors import FetchError, InputError, UsageError

EXAMPLES = Path(__file__).parents[1] / "examples"
PAGE = (EXAMPLES / "page.html").read_bytes()
LINKED = "<article>" + "<p>One long sentence about <a href='/oak'>old oaks</a>, which stand in the wood.</p>" * 8


def test_dir_lists_every_public_name_and_each_can_be_imported() -> None:
    assert set(duramen.__all__) <= set(dir(duramen))
    assert set(duramen.__all__) == set(duramen._MODULES)
    for name in duramen.__all__:
        assert getattr(duramen, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        duramen.nothing  # noqa: B018


def test_options_of_the_output_are_arguments_of_extract() -> None:
    plain = duramen.extract(LINKED, url="https://wood.example/", links=False)
    linked = duramen.extract(LINKED, url="https://wood.example/")
    assert "https://wood.example/oak" not in plain.markdown
    assert "https://wood.example/oak" in linked.markdown
    assert linked.to("markdown", links=False) == plain.markdown


def test_comments_are_written_on_request() -> None:
    page = (EXAMPLES / "comments.html").read_bytes()
    alone, whole = duramen.extract(page), duramen.extract(page, comments=True)
    assert alone.comments
    assert alone.comments[0].text not in alone.text
    assert whole.comments[0].text in whole.text


def test_favor_is_an_argument() -> None:
    same = duramen.extract(PAGE, method="auto:favor=precision")
    assert duramen.extract(PAGE, favor="precision").text == same.text
    with pytest.raises(UsageError, match="favor is a parameter of the method auto"):
        duramen.extract(PAGE, method="econ", favor="recall")
    with pytest.raises(UsageError, match="favor is one of"):
        duramen.extract(PAGE, favor="speed")


def test_parameters_of_a_method_are_arguments() -> None:
    same = duramen.extract(PAGE, method="mss-simple:tag_score=-1.5")
    assert duramen.extract(PAGE, method="mss-simple", tag_score=-1.5).text == same.text
    with pytest.raises(UsageError, match="econ has no parameter 'tag_score'"):
        duramen.extract(PAGE, method="econ", tag_score=-1.5)
    with pytest.raises(UsageError, match="on the method itself"):
        duramen.extract(PAGE, method=duramen.methods.get("econ"), skip_wrappers=False)


def test_records_all_returns_a_list_and_records_one_table() -> None:
    shop = EXAMPLES / "shop" / "page-1.html"
    tables = duramen.records_all(shop)
    assert [type(table) for table in tables] == [duramen.Table] * len(tables)
    assert duramen.records(shop).rows == tables[0].rows


def test_load_wrapper_reads_every_kind(tmp_path: Path) -> None:
    pages = [path.read_bytes() for path in sorted((EXAMPLES / "site").glob("*.html"))]
    site, records = tmp_path / "site.json", tmp_path / "records.json"
    wrapper = duramen.learn(pages)
    wrapper.save(site)
    table = duramen.records(EXAMPLES / "shop" / "page-1.html")
    duramen.RecordsWrapper.of(table).save(records)
    loaded = duramen.load_wrapper(site)
    assert isinstance(loaded, duramen.Wrapper)
    assert loaded.extract(pages[0]).text == wrapper.extract(pages[0]).text
    assert isinstance(duramen.load_wrapper(records), duramen.RecordsWrapper)
    with pytest.raises(InputError, match="no such file"):
        duramen.load_wrapper(tmp_path / "missing.json")


def test_run_writes_rows(tmp_path: Path) -> None:
    report = duramen.run(EXAMPLES / "site", tmp_path / "rows.jsonl", jobs=1)
    assert (tmp_path / "rows.jsonl").read_text("utf-8").count("\n") == 5
    assert not report.problems


@pytest.fixture
def address() -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/page" else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_fetch_returns_a_page(address: str) -> None:
    page = duramen.fetch(f"{address}/page")
    assert page.url == f"{address}/page"
    assert duramen.extract(page).text == duramen.extract(PAGE).text
    with pytest.raises(FetchError):
        duramen.fetch(f"{address}/missing")


def test_xpath_and_css_select_elements_of_a_page() -> None:
    page = duramen.Page.parse(PAGE)
    assert [element.text for element in page.xpath("//h1")] == [element.text for element in page.css("h1")]
    assert page.css("h1")[0].tag == "h1"


def test_every_result_has_a_telling_repr_and_a_form_for_notebooks() -> None:
    content = duramen.extract(PAGE)
    table = duramen.records(EXAMPLES / "shop" / "page-1.html")
    wrapper = duramen.learn([path.read_bytes() for path in sorted((EXAMPLES / "site").glob("*.html"))])
    for value, part in ((content, "words"), (content.metadata, "title"), (table, "records"), (wrapper, "pages")):
        assert part in repr(value).lower()
        assert "<" in value._repr_html_()

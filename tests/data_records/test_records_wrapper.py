"""Wrappers: selectors learned from one page, applied to others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.data_records.pages import (
    make_article,
    make_page,
    make_shop,
    make_tile,
)

import duramen
from duramen.data_records.records_wrapper import RecordsWrapper
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError


def learn_shop() -> RecordsWrapper:
    return RecordsWrapper.of(duramen.records(make_shop()))


def test_the_next_page_is_read_by_the_same_selectors() -> None:
    table = learn_shop().extract(Page.parse(make_shop(range(40, 45))))
    assert [row["title"] for row in table.rows] == [f"Chair {n}" for n in range(40, 45)]
    assert table.names == ["title", "url", "image", "price", "currency", "snippet"]


def test_runs_are_found_on_the_next_page() -> None:
    def terms(numbers: range) -> str:
        return make_page(
            "<dl>" + "".join(f"<dt><a href='/{n}'>Chair {n}</a><dd>{'Oak. ' * 20} {n}" for n in numbers) + "</dl>"
        )

    wrapper = RecordsWrapper.of(duramen.records(terms(range(8))))
    table = wrapper.extract(Page.parse(terms(range(30, 33))))
    assert [row["url"] for row in table.rows] == ["/30", "/31", "/32"]


def test_a_page_that_does_not_fit_gives_an_empty_table_with_a_reason() -> None:
    table = learn_shop().extract(Page.parse(make_article()))
    assert not table
    assert "does not fit" in table.reason


def test_a_saved_wrapper_is_loaded_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    learn_shop().save(path)
    assert RecordsWrapper.load(path) == learn_shop()


def test_a_page_without_a_list_raises_an_error() -> None:
    with pytest.raises(UsageError, match="nothing to learn"):
        RecordsWrapper.of(duramen.records(make_article()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "is no wrapper: it does not say that its format is 'duramen records'"),
        ({"version": 99}, "later version"),
        ({"region": "//div["}, "damaged"),
        ({"region": None}, "damaged"),
        ({"fields": [{"name": "x"}]}, "damaged"),
        ({"fields": 3}, "damaged"),
    ],
)
def test_a_damaged_file_is_refused_with_a_reason(change: dict[str, object], message: str) -> None:
    data = json.loads(learn_shop().dumps()) | change
    with pytest.raises(InputError, match=message):
        RecordsWrapper.loads(json.dumps(data), "site.json")


def test_a_file_that_is_no_wrapper_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        RecordsWrapper.load(tmp_path / "none.json")
    (tmp_path / "x.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not text in UTF-8"):
        RecordsWrapper.load(tmp_path / "x.json")
    with pytest.raises(InputError, match="not JSON"):
        RecordsWrapper.loads("{")


@pytest.mark.parametrize(
    "pick", [{"kind": "oak"}, {"number": 0}, {"lines": 1}, {"label": 3}, {"oak": 1}, {"without": 1}]
)
def test_a_damaged_text_filter_is_refused(pick: dict[str, object]) -> None:
    data = json.loads(learn_shop().dumps())
    data["fields"][0]["pick"] = pick
    with pytest.raises(InputError, match="damaged"):
        RecordsWrapper.loads(json.dumps(data), "site.json")


VERSION_1 = """{
  "format": "duramen records",
  "version": 1,
  "site": null,
  "region": "//ul[@id='chairs']",
  "record": "./li",
  "follow": [],
  "fields": [
    {"name": "title", "kind": "text", "source": "text", "path": "./h3/a", "number": null, "listed": false, "part": "", \
"part_number": null},
    {"name": "price", "kind": "price", "source": "text", "path": ".//span", "number": 1, "listed": false, "part": "", \
"part_number": null, "column": null, "pick": {"kind": "price"}}
  ]
}
"""


def test_a_file_of_version_1_is_read() -> None:
    wrapper = RecordsWrapper.loads(VERSION_1)
    title, price = wrapper.columns
    assert (title.xpath, title.position, title.is_list, title.table_column) == ("./h3/a", None, False, None)
    assert (price.position, price.text_filter.kind) == (1, "price")
    assert wrapper.extract(Page.parse(make_shop())).rows[0] == {"title": "Chair 1", "price": "$19.50"}
    again = json.loads(wrapper.dumps())
    assert again["fields"][1] == json.loads(VERSION_1)["fields"][1]


def test_a_wrapper_learned_from_several_pages_has_the_columns_of_all() -> None:
    def shop(numbers: range, more: str) -> str:
        return make_page("<ul id=l>" + "".join(make_tile(n, more=more.format(n=n)) for n in numbers) + "</ul>")

    pages = [
        Page.parse(shop(range(1, 9), "")),
        Page.parse(shop(range(20, 28), "<i class=brand>Maker {n}</i>")),
        Page.parse("<p>No list.</p>"),
    ]
    wrapper = RecordsWrapper.learn(pages)
    assert {"title", "price", "brand"} <= {column.name for column in wrapper.columns}
    assert [wrapper.extract(page).rows[0]["brand"] for page in pages[:2]] == [None, "Maker 20"]


def test_nothing_is_learned_from_pages_without_lists() -> None:
    with pytest.raises(UsageError, match="nothing to learn from these pages"):
        RecordsWrapper.learn([Page.parse("<p>No list.</p>")])


def test_columns_can_be_renamed_in_the_file() -> None:
    written = learn_shop().dumps().replace('"name": "price"', '"name": "cost"')
    table = RecordsWrapper.loads(written).extract(Page.parse(make_shop(range(40, 45))))
    assert table.rows[0]["cost"] == 409.5


def test_a_file_with_an_unknown_type_is_damaged() -> None:
    with pytest.raises(InputError, match="unknown type"):
        RecordsWrapper.loads(learn_shop().dumps().replace('"type": "price"', '"type": "cost"'))

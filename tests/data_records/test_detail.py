"""The record of a detail page."""

from __future__ import annotations

import csv
import io
import itertools
import json

import pytest
from tests.hostile.work import count_lines

import duramen
from duramen.data_records.detail import MAX_FIELDS, find_specifications
from duramen.dom.page import Page

PRODUCT = {
    "@type": "Product",
    "name": "Oak table",
    "brand": {"@type": "Brand", "name": "Wood & Sons"},
    "offers": {"price": "1299.00", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"},
    "aggregateRating": {"ratingValue": "4.5", "reviewCount": "83"},
    "additionalProperty": [{"name": "Number of legs", "value": 4}],
}


def test_a_product_in_json_ld() -> None:
    script = f"<script type=application/ld+json>{json.dumps({'@graph': [{'@type': 'WebSite'}, PRODUCT]})}</script>"
    record = duramen.record(f"<html><head>{script}</head><body><h1>Another heading</h1><p>Text</p></body></html>")
    assert record.type == "Product"
    assert record.fields == {
        "number_of_legs": 4,
        "title": "Oak table",
        "brand": "Wood & Sons",
        "price": 1299.0,
        "currency": "EUR",
        "availability": "InStock",
        "rating": 4.5,
        "reviews": 83,
    }
    assert set(record.sources.values()) == {"json-ld"}
    assert record.raw["price"] == "1299.00"


def test_a_recipe_in_microdata() -> None:
    html = """<div itemscope itemtype=https://schema.org/Recipe><h1 itemprop=name>Acorn bread</h1>
    <time itemprop=datePublished datetime=2024-05-02>2 May</time><ul><li itemprop=recipeIngredient>200 g acorns
    <li itemprop=recipeIngredient>water</ul>
    <div itemprop=nutrition itemscope><b itemprop=calories>200</b></div></div>"""
    record = duramen.record(html)
    assert (record.type, record["title"], record["date"]) == ("Recipe", "Acorn bread", "2024-05-02")
    assert record["recipe_ingredient"] == ["200 g acorns", "water"]
    assert record["nutrition_calories"] == 200


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><th>Weight</th><td>20 kg</td></tr><tr><th>Year</th><td>2020</td></tr></table>",
        "<table><tr><td>Weight:</td><td>20 kg</td></tr><tr><td>Year:</td><td>2020</td></tr></table>",
        "<dl><dt>Weight</dt><dd>20 kg</dd><dt>Year</dt><dd>2020</dd></dl>",
        "<ul><li><b>Weight:</b> 20 kg</li><li><b>Year:</b> 2020</li></ul>",
        "<div><p>Weight: 20 kg</p><p>Year: 2020</p></div>",
    ],
)
def test_specifications(html: str) -> None:
    assert find_specifications(Page.parse(html).tree) == [("Weight", "20 kg"), ("Year", "2020")]
    assert duramen.record(f"<h1>Oak table</h1>{html}")["year"] == 2020


def test_prose_with_one_colon_is_no_specification() -> None:
    assert find_specifications(Page.parse("<div><p>Note: this is a sentence.</p><p>Another one.</p></div>").tree) == []


def test_the_price_near_the_heading_is_found() -> None:
    record = duramen.record(
        "<h1>Oak table</h1><del>$200</del><p class=p>$<b>120</b><sup>50</sup></p><dl><dt>A<dd>b<dt>C<dd>d</dl>"
    )
    assert (record["price"], record["currency"]) == (120.5, "USD")


def test_formats() -> None:
    record = duramen.record("<h1>=Oak</h1><dl><dt>Weight<dd>20 kg<dt>Year<dd>2020</dl>")
    assert record.to_text() == "weight  20 kg\nyear    2020\ntitle   =Oak\n"
    assert list(csv.reader(io.StringIO(record.to_csv())))[-1] == ["title", "'=Oak"]
    assert json.loads(record.to_json())["fields"]["year"] == 2020


def test_a_page_without_fields_is_false() -> None:
    assert not duramen.record("<p>Nothing here.</p>")


@pytest.mark.parametrize(
    "level",
    [
        "<table><tr><td>Wood<td>oak<tr><td>Color<td>brown<tr><td>Size<td>",
        "<dl><dt>Wood<dd>oak<dt>Color<dd>brown<dt>Size<dd>",
    ],
)
def test_nested_tables_and_lists_are_read_once(level: str) -> None:
    trees = [Page.parse(level * levels).tree for levels in (150, 300)]
    few, many = (count_lines(lambda tree=tree: find_specifications(tree)) for tree in trees)  # type: ignore[misc]
    assert many < 2.6 * few
    assert ("Wood", "oak") in find_specifications(trees[0])


@pytest.mark.parametrize("markup", ["<table>{}</table>", "<ul>{}</ul>", "<dl>{}</dl>"])
def test_more_fields_than_the_limit_have_a_note(markup: str) -> None:
    pair = {"t": "<tr><td>Oak {0}<td>{0} kg", "u": "<li>Oak {0}: {0} kg", "d": "<dt>Oak {0}<dd>{0} kg"}[markup[1]]

    def read(count: int) -> duramen.PageRecord:
        names = (a + b for a, b in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=2))
        return duramen.record(markup.format("".join(pair.format(name) for name in itertools.islice(names, count))))

    many, few = read(MAX_FIELDS + 1), read(MAX_FIELDS)
    assert len(many.fields) == len(few.fields) == MAX_FIELDS
    assert (many.note, few.note) == (f"only the first {MAX_FIELDS} fields were read", "")
    assert json.loads(many.to_json())["note"] == many.note
    assert many.to_text().splitlines()[-1] == f"({many.note})"
    assert len(few.to_text().splitlines()) == MAX_FIELDS

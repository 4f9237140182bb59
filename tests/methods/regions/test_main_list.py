"""The method region."""

from __future__ import annotations

from tests.data_records.pages import make_article, make_shop

import duramen
from duramen.dom.page import Page
from duramen.methods.regions.main_list import RegionMethod


def test_the_content_is_the_element_with_the_main_list() -> None:
    content = RegionMethod()(Page.parse(make_shop()))
    assert content.node is not None
    assert content.page.tree.attributes[content.node].get("id") == "chairs"
    assert content.reason == "a list in a ul: each li"


def test_a_page_without_a_main_list_gives_no_content_and_no_records() -> None:
    page = Page.parse(make_article())
    content, table = RegionMethod()(page), RegionMethod().records(page)
    assert not content
    assert not table
    assert content.reason == table.reason
    assert content.reason.startswith("no main list")


def test_the_records_are_those_of_the_table() -> None:
    page = Page.parse(make_shop())
    table, complete = RegionMethod().records(page), duramen.records(page)
    assert (table.node, table.records) == (complete.node, complete.records)

"""HTML pages with lists, for the tests."""

from __future__ import annotations

from collections.abc import Iterable

import duramen
from duramen.data_records.columns import CellValue
from duramen.data_records.records_wrapper import RecordsWrapper
from duramen.data_records.table import Table

MENU = "<nav><ul>" + "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(12)) + "</ul></nav>"
FOOTER = "<footer><a href='/terms'>Terms</a> <a href='/privacy'>Privacy</a></footer>"
ABOUT = "A chair of solid wood, oiled by hand, number {n}, with a seat of woven paper cord that lasts for years."


def make_page(body: str) -> str:
    return f"<!doctype html><html><head><title>Shop</title></head><body>{MENU}<main>{body}</main>{FOOTER}</body></html>"


def make_tile(n: int, *, tag: str = "li", price: bool = True, more: str = "") -> str:
    price_html = f"<span class='price'>${n}9.50</span>" if price else ""
    return (
        f"<{tag} class='item'><h3><a href='/chair/{n}'>Chair {n}</a></h3><img src='/i/{n}.png'>{price_html}"
        f"<p class='about'>{ABOUT.format(n=n)}</p>{more}</{tag}>"
    )


def make_shop(numbers: Iterable[int] = range(1, 9)) -> str:
    """A shop with one list of products; every third product has no price."""
    tiles = "".join(make_tile(n, price=n % 3 > 0) for n in numbers)
    return make_page(f"<h1>Chairs</h1><ul id='chairs'>{tiles}</ul>")


def make_article() -> str:
    words = "The heartwood of an oak carries no water, but it holds the tree upright for centuries. "
    return make_page("<article><h1>Oak</h1>" + "".join(f"<p>{words * 3}</p>" for _ in range(9)) + "</article>")


def find_list(body: str) -> Table:
    """The main list of a page with this body."""
    return duramen.records(make_page(body))


def record_texts(table: Table) -> list[str]:
    """The text of each record."""
    tree = table.page.tree
    return [
        " ".join(" ".join(tree.text[node] for top in record for node in range(top, tree.end[top])).split())
        for record in table.records
    ]


def rows_by_wrapper(table: Table) -> list[dict[str, CellValue]]:
    """The rows that the saved and loaded wrapper of a table reads from the same page."""
    return RecordsWrapper.loads(RecordsWrapper.of(table).dumps()).extract(table.page).rows

"""Pages with lists, written for the tests."""

from __future__ import annotations

from collections.abc import Iterable

MENU = "<nav><ul>" + "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(12)) + "</ul></nav>"
FOOT = "<footer><a href='/terms'>Terms</a> <a href='/privacy'>Privacy</a></footer>"
ABOUT = "A chair of solid wood, oiled by hand, number {n}, with a seat of woven paper cord that lasts for years."


def page(body: str) -> str:
    return f"<!doctype html><html><head><title>Shop</title></head><body>{MENU}<main>{body}</main>{FOOT}</body></html>"


def tile(n: int, *, tag: str = "li", price: bool = True, more: str = "") -> str:
    cost = f"<span class='price'>${n}9.50</span>" if price else ""
    return (
        f"<{tag} class='item'><h3><a href='/chair/{n}'>Chair {n}</a></h3><img src='/i/{n}.png'>{cost}"
        f"<p class='about'>{ABOUT.format(n=n)}</p>{more}</{tag}>"
    )


def shop(numbers: Iterable[int] = range(1, 9)) -> str:
    """A shop with one list; every third chair has no price."""
    return page("<h1>Chairs</h1><ul id='chairs'>" + "".join(tile(n, price=n % 3 > 0) for n in numbers) + "</ul>")


def article() -> str:
    words = "The heartwood of an oak carries no water, but it holds the tree upright for centuries. "
    return page("<article><h1>Oak</h1>" + "".join(f"<p>{words * 3}</p>" for _ in range(9)) + "</article>")

"""Every verb on every hard page: twice the page takes about twice the work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from tests.hostile.generators import DEEP, GENERATORS, INVENTED, LISTS, MARKUP, RECORDS, STRUCTURE, TEXTS, Generator
from tests.hostile.work import MAX_GROWTH, count_lines

import duramen

SIZE = 150
MAX_LINES_PER_BYTE = 180
"""Lines of Python for a byte of a page. Extraction takes about 20 for most pages."""


def write_outputs(page: duramen.Page) -> None:
    content = duramen.extract(page, links=True, images=True)
    for name in ("text", "markdown", "html", "json", "xml"):
        content.to(name)


def read_metadata(page: duramen.Page) -> None:
    duramen.extract(page, method="longest-cell").metadata.as_dict()


def read_comments(page: duramen.Page) -> None:
    assert duramen.extract(page, method="longest-cell").comments is not None


def read_records(page: duramen.Page) -> None:
    for table in duramen.records_all(page):
        assert table.rows is not None


def learn(page: duramen.Page) -> None:
    pages = [page, duramen.Page.parse("<h1>Ash wood</h1><p>Ash and elm.</p>"), page]
    with suppress(duramen.errors.InputError):  # nothing to learn from
        duramen.learn(pages).extract(page)


def select(page: duramen.Page) -> None:
    for expression in ("//p", "//div[@class]//p[2]", "//*[contains(@class,'a')]", "//li[last()]/a", "//table//td[1]"):
        page.xpath(expression)


def read_record(page: duramen.Page) -> None:
    duramen.record(page).to_json()


SIMPLE = MARKUP | LISTS
CASES: dict[Callable[[duramen.Page], None], dict[str, Generator]] = {
    write_outputs: GENERATORS,
    read_metadata: SIMPLE | TEXTS,
    read_comments: SIMPLE | RECORDS,
    read_records: SIMPLE | DEEP | RECORDS,
    read_record: LISTS | DEEP | RECORDS,
    learn: SIMPLE | DEEP,
    select: SIMPLE,
}
"""The generators for each verb. `benchmarks/scaling.py` measures all with all."""
assert {**SIMPLE, **DEEP, **STRUCTURE, **TEXTS, **RECORDS, **INVENTED} == GENERATORS


def list_cases() -> list[object]:
    return [
        pytest.param(verb, generator, id=f"{verb.__name__}-{name}")
        for verb, generators in CASES.items()
        for name, generator in generators.items()
    ]


@pytest.mark.parametrize(("verb", "generator"), list_cases())
def test_twice_the_page_takes_twice_the_work(verb: Callable[[duramen.Page], None], generator: Generator) -> None:
    small, large = (duramen.Page.parse(generator(size)) for size in (SIZE, 2 * SIZE))
    verb(duramen.Page.parse(generator(10)))  # what is cached between pages is so for both
    lines = count_lines(partial(verb, small))
    assert count_lines(partial(verb, large), MAX_GROWTH * lines + 2_000) < MAX_LINES_PER_BYTE * len(generator(2 * SIZE))


@pytest.mark.parametrize("generator", MARKUP.values(), ids=MARKUP)
def test_twice_the_page_has_twice_the_nodes(generator: Generator) -> None:
    small, large = (duramen.Page.parse(generator(size)).tree for size in (2_000, 4_000))
    assert len(large) < MAX_GROWTH * len(small) + 100
    assert count_lines(partial(duramen.Page.parse, generator(2_000))) < 200_000

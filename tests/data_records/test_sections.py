"""Records under several headings."""

from __future__ import annotations

from tests.hostile.work import count_lines

from duramen import records
from duramen.data_records.record_segmentation import segment
from duramen.data_records.sections import find_headings, split_sections
from duramen.data_records.subtrees import SubtreeWeights
from duramen.dom.tree import Tree

PLACES = {"Oslo": 3, "Bergen": 5, "Tromsø": 2, "Stavanger": 4}


def make_person(place: str, n: int) -> str:
    return (
        f"<li><a href=/{place}/{n}>Carpenter {place} {n}</a>"
        f"<p>Repairs chairs and tables number {n} in {place}, by hand and on request.</p></li>"
    )


def make_people(place: str, count: int) -> str:
    return "".join(make_person(place, n) for n in range(count))


def test_sections_are_split_into_their_records() -> None:
    html = "".join(
        f"<section><header><h3>{place}</h3></header><div><ul>{make_people(place, count)}</ul></div></section>"
        for place, count in PLACES.items()
    )
    table = records(f"<main><h1>Carpenters</h1><div id=all>{html}</div></main>")
    assert len(table) == sum(PLACES.values())
    assert table.names[0] == "section"
    assert [row["section"] for row in table.rows] == [place for place, count in PLACES.items() for _ in range(count)]
    assert table.to_csv().startswith("section,")


def test_headings_between_the_records_of_one_list_are_sections() -> None:
    html = "".join(
        f"<h3>{place}</h3>" + make_people(place, count).replace("<li>", "<div class=person>").replace("</li>", "</div>")
        for place, count in PLACES.items()
    )
    table = records(f"<main><h1>Carpenters</h1><div id=all>{html}</div></main>")
    assert len(table) == sum(PLACES.values())
    assert [row["section"] for row in table.rows][:4] == ["Oslo"] * 3 + ["Bergen"]


def test_the_features_of_a_product_are_no_records() -> None:
    html = "".join(
        f"<div class=product><h3><a href=/{n}>Chair {n}</a></h3><ul>"
        + "".join(
            f"<li><a href=/{n}>The {part} of chair {n} is made of oak</a></li>" for part in ("seat", "back", "leg")
        )
        + "</ul></div>"
        for n in range(8)
    )
    table = records(f"<main><h1>Chairs</h1><div>{html}</div></main>")
    assert len(table) == 8
    assert "section" not in table.names
    assert not table.sections


def test_one_heading_in_a_list_makes_no_sections() -> None:
    html = make_people("Oslo", 4) + "<h3>More</h3>" + make_people("Bergen", 4)
    table = records(f"<main><h1>Carpenters</h1><ul>{html}</ul></main>")
    assert len(table) == 8
    assert "section" not in table.names


def split(html: str) -> tuple[int, list[str]]:
    """The number of records of the sections of a page, and their headings."""
    tree = Tree.parse(f"<div id=all>{html}</div>")
    weights = SubtreeWeights.of(tree)
    found = segment(weights, tree.tag.index("div"))
    assert found
    sections = split_sections(weights, found)
    if sections is None:
        return 0, []
    return len(sections.records), find_headings(weights, sections.records, sections.starts)


def test_the_records_of_a_section_are_below_any_number_of_wrappers() -> None:
    html = "".join(
        f"<section><div><b>{place}</b></div><div><div><ul>{make_people(place, count)}</ul></div></div></section>"
        for place, count in PLACES.items()
    )
    assert split(html) == (14, [place for place, count in PLACES.items() for _ in range(count)])


def test_sections_without_headings_are_not_split() -> None:
    html = "".join(f"<section><ul>{make_people(place, count)}</ul></section>" for place, count in PLACES.items())
    assert split(html) == (0, [])


def test_items_without_links_are_not_split() -> None:
    items = "".join(f"<li>One of the parts of this chair, and number {n} of them</li>" for n in range(4))
    html = "".join(f"<section><h3>Chair {n}</h3><ul>{items}</ul></section>" for n in range(5))
    assert split(html) == (0, [])


def test_records_are_looked_for_in_a_limited_number_of_levels() -> None:
    def count(levels: int) -> int:
        section = "<div>" * levels + "<p>oak wood is hard" + "</div>" * levels
        tree = Tree.parse(f"<main><div>{section}</div><div>{section}</div></main>")
        weights = SubtreeWeights.of(tree)
        found = segment(weights, tree.find_all("main")[0])
        assert found is not None
        return count_lines(lambda: split_sections(weights, found))

    assert count(200) < 1.5 * count(50)

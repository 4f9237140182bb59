"""The tables of `duramen run --records`: one for each template of a site."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import duramen
from duramen.batch.settings import TABLE_FORMAT
from duramen.batch.tables import table_files
from duramen.batch.tables.page_tables import PageColumn, PageTable
from duramen.batch.tables.table_files import write_tables
from duramen.batch.tables.templates import Template, TemplateIndex
from duramen.cli import main
from duramen.errors import UsageError


def shop_page(number: int, *, prices: bool = True) -> str:
    items = "".join(
        f"<li class=product><a href=/c/{number}{n}><img src=/i/{number}{n}.jpg></a><h3>Chair {number}{n} of oak</h3>"
        + (f"<span class=price>€ {10 * number + n}.50</span>" if prices else "")
        + f"<p>Made of oak by hand, piece {n}, glued without nails, and good for a hundred years.</p></li>"
        for n in range(6)
    )
    return f"<title>Shop</title><main><h1>Chairs</h1><ol class=products>{items}</ol></main>"


def staff_page() -> str:
    people = "".join(
        f"<div class=person><h4><a href=/p/{n}>Person {n} Miller</a></h4><p>+44 20 7946 0{n}00</p></div>"
        for n in range(8)
    )
    return f"<title>Staff</title><main><h1>Staff</h1><div>{people}</div></main>"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    for number in range(4):
        (folder / f"page-{number}.html").write_text(shop_page(number, prices=number != 0), "utf-8")
    (folder / "staff.html").write_text(staff_page(), "utf-8")
    return folder


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run_records(inputs: Path, output: Path, **options: Any) -> Any:
    return duramen.run(inputs, output, format=TABLE_FORMAT, jobs=1, **options)


def test_pages_of_a_template_go_to_one_table(shop: Path, tmp_path: Path) -> None:
    assert main(["run", str(shop), "-o", str(tmp_path / "out.jsonl"), "--records", "--jobs", "1", "--quiet"]) == 0
    tables = tmp_path / "out.tables"
    assert sorted(path.name for path in tables.iterdir()) == ["shop-2.csv", "shop.csv", "tables.json"]
    chairs, staff = read_csv(tables / "shop.csv"), read_csv(tables / "shop-2.csv")
    assert (len(chairs), len(staff)) == (24, 8)
    assert chairs[0]["price"] == ""  # the first page has none, and still the column is there
    assert chairs[6] | {"page": ""} == {
        "page": "",
        "title": "Chair 10 of oak",
        "url": "/c/10",
        "image": "/i/10.jpg",
        "snippet": "Made of oak by hand, piece 0, glued without nails, and good for a hundred years.",
        "price": "10.50",
        "currency": "EUR",
    }
    assert chairs[6]["page"].endswith("page-1.html")
    listed = json.loads((tables / "tables.json").read_text("utf-8"))["tables"]
    assert [(table["file"], table["pages"], table["rows"]) for table in listed] == [
        ("shop.csv", 4, 24),
        ("shop-2.csv", 1, 8),
    ]


@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl.gz", "out"])
def test_tables_are_the_same_for_every_form_of_the_rows(shop: Path, tmp_path: Path, name: str) -> None:
    run_records(shop, tmp_path / name, table_form="jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.tables" / "shop.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 24
    assert (rows[0]["price"], rows[6]["price"]) == (None, 10.5)


def test_tables_that_are_missing_are_written_again(shop: Path, tmp_path: Path) -> None:
    run_records(shop, tmp_path / "out.jsonl")
    table = tmp_path / "out.tables" / "shop.csv"
    before = table.read_bytes()
    table.unlink()
    run_records(shop, tmp_path / "out.jsonl")
    assert table.read_bytes() == before


def test_a_run_that_dies_while_it_writes_tables_is_resumed(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(table_files, "_replace_folder", die)
        with pytest.raises(KeyboardInterrupt):
            run_records(shop, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.tables").exists()
    report = run_records(shop, tmp_path / "out.jsonl")
    assert (report.rows, report.new_rows) == (5, 0)
    assert len(read_csv(tmp_path / "out.tables" / "shop.csv")) == 24
    assert not list(tmp_path.glob(".duramen-*"))


def test_tables_of_an_earlier_run_are_replaced(shop: Path, tmp_path: Path) -> None:
    run_records(shop, tmp_path / "out.jsonl")
    for path in shop.glob("page-*"):
        path.unlink()
    run_records(shop, tmp_path / "out.jsonl", overwrite=True)
    assert [path.name for path in (tmp_path / "out.tables").glob("*.csv")] == ["shop.csv"]
    duramen.run(shop, tmp_path / "out.jsonl", method="econ", jobs=1, overwrite=True)
    assert not (tmp_path / "out.tables").exists()


def test_a_folder_that_holds_something_else_is_refused(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "out.tables").mkdir()
    (tmp_path / "out.tables" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds no tables of a run"):
        run_records(shop, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    with pytest.raises(UsageError, match="--as files"):
        run_records(shop, tmp_path / "texts", output_form="files")


@pytest.mark.parametrize("option", [("--format", "markdown"), ("--method", "econ"), ("--learn",), ("-o", "-")])
def test_options_that_contradict_records_are_refused(
    option: Sequence[str], shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(shop), "-o", str(tmp_path / "out.jsonl"), "--records", *option]) == 2
    assert "--records" in capsys.readouterr().err


def table_of(
    columns: dict[str, str], site: str = "shop.example", rows: Sequence[Sequence[Any]] | None = None
) -> PageTable:
    """A table with these columns: name and place."""
    described = [PageColumn(name, place) for name, place in columns.items()]
    return PageTable(site, "li.product", described, [["x"] * len(columns)] if rows is None else rows)


def row_of(table: PageTable, **values: Any) -> dict[str, Any]:
    return {"source": "a.html", "url": None, "format": TABLE_FORMAT, "text": table.dumps(), **values}


def test_a_column_keeps_its_name_where_pages_name_it_differently() -> None:
    template = Template("shop.example", "li.product")
    first = table_of({"title": "h3", "text": "p"})
    second = table_of({"title": "h3", "text": "p.note", "text_2": "p"})
    for table in (first, second, table_of({"title": "h3", "text": "p"})):
        template.add(table)
    assert template.find_columns(first) == [0, 1]
    assert template.find_columns(second) == [0, 2, 1]
    assert template.name_columns() == ["title", "text", "text_2"]


def test_a_name_with_a_meaning_joins_places() -> None:
    template = Template("shop.example", "li.product")
    for place in ("span.price", "b.price"):
        template.add(table_of({"title": "h3", "price": place}))
    both = table_of({"title": "h3", "price": "span.price", "sale_price": "b.price"})
    template.add(both)
    assert template.find_columns(both) == [0, 1, 2]
    assert template.name_columns() == ["title", "price", "sale_price"]


def test_pages_with_other_records_are_another_template() -> None:
    index = TemplateIndex()
    assert index.add(table_of({"title": "h3", "price": "span.price"})) == 0
    assert index.add(table_of({"name": "td", "phone": "td.phone"})) == 1
    assert index.add(table_of({"title": "h3"})) == 0
    assert index.add(table_of({"title": "h3"}, site="other.example")) == 2


def test_many_sites_need_few_open_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "_MAX_OPEN_FILES", 2)

    def read() -> Iterator[dict[str, Any]]:
        for number in range(30):
            yield row_of(table_of({"title": "h3"}, site=f"s{number % 10}.example"), url=f"https://x.example/{number}")

    counts = write_tables(read, tmp_path / "tables")
    assert counts == (10, 30)
    assert [row["page"] for row in read_csv(tmp_path / "tables" / "s3.example.csv")] == [
        "https://x.example/3",
        "https://x.example/13",
        "https://x.example/23",
    ]


def test_values_of_hostile_pages_are_written_safely(tmp_path: Path) -> None:
    table = table_of({"page": "a", "=x": "b"}, site="../../etc", rows=[["=cmd()", "\ud800"]])
    write_tables(lambda: iter([row_of(table)]), tmp_path / "tables")
    assert [path.name for path in (tmp_path / "tables").glob("*.csv")] == ["etc.csv"]
    text = (tmp_path / "tables" / "etc.csv").read_text("utf-8")
    assert text == "_page,page,'=x\na.html,'=cmd(),\N{REPLACEMENT CHARACTER}\n"


def test_pages_that_repeat_another_page_are_left_out(tmp_path: Path) -> None:
    table = table_of({"title": "h3"})
    rows = [row_of(table), row_of(table, duplicate_of="a.html#0"), row_of(table, text="")]
    assert write_tables(lambda: iter(rows), tmp_path / "tables") == (1, 1)

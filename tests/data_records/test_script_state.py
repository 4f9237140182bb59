"""State of scripts: the forms in which frameworks write it, read without running it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.data_records.pages import make_page, make_tile

import duramen
from duramen.data_records.script_literals import ScriptLiteralError, read_call, read_literal
from duramen.data_records.script_state import join_flight, read_flight, read_nuxt_data, read_state

PRODUCTS = [
    {"name": f"Chair {n}", "sku": f"K-{n}", "price": n + 0.5, "available": True, "brand": "Oak & Sons"}
    for n in range(8)
]


def to_devalue(root: Any) -> list[Any]:
    """The list that devalue's `stringify` writes; every value once."""
    values: list[Any] = []

    def add(value: Any) -> int:
        place = len(values)
        values.append(None)
        if isinstance(value, dict):
            values[place] = {key: add(inner) for key, inner in value.items()}
        elif isinstance(value, list):
            values[place] = [add(inner) for inner in value]
        else:
            values[place] = value
        return place

    add(root)
    return values


def nuxt_3() -> str:
    values = [["ShallowReactive", 1]]
    inner = to_devalue({"data": {"list": {"products": PRODUCTS}}, "state": {}})

    def shift(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: place + 1 for key, place in value.items()}
        return [place + 1 for place in value] if isinstance(value, list) else value

    text = json.dumps(values + [shift(value) for value in inner])
    return f'<script type="application/json" data-nuxt-data="nuxt-app" id="__NUXT_DATA__">{text}</script>'


def nuxt_2() -> str:
    items = ",".join(f'{{name:"Chair {n}",sku:"K-{n}",price:{n}.5,available:a,brand:b,old:void 0}}' for n in range(8))
    return (
        f'<script>window.__NUXT__=(function(a,b,c){{return {{layout:"default",data:[{{products:[{items}]}}],'
        f'fetch:{{}},error:c}}}}(!0,"Oak \\u0026 Sons",null));</script>'
    )


def next_app() -> str:
    element = ["$", "$L5", None, {"products": PRODUCTS, "note": "$7"}]
    stream = (
        '1:"$Sreact.fragment"\n2:I[5244,[],""]\n:HL["/a.css","style"]\n'
        f"7:T{len('Größe: M'.encode()):x},Größe: M6:{json.dumps(element)}\n"
    )
    middle = len(stream) // 2
    pushes = [json.dumps([1, part]) for part in (stream[:middle], stream[middle:])]
    return "<script>(self.__next_f=self.__next_f||[]).push([0])</script>" + "".join(
        f"<script>self.__next_f.push({push})</script>" for push in pushes
    )


SCRIPTS = {
    "nuxt 3": nuxt_3(),
    "nuxt 2": nuxt_2(),
    "next app router": next_app(),
    "JSON.parse": f"<script>window.__STATE__ = JSON.parse({json.dumps(json.dumps(PRODUCTS))});</script>",
    "single quotes": f"<script>window.__STATE__ = JSON.parse('{json.dumps(PRODUCTS)}');</script>",
    "undefined": f"<script>window.__APOLLO_STATE__={{list:{json.dumps(PRODUCTS)},cursor:undefined}};</script>",
    "second assignment": f"<script>var a = {{}}; window.b = {{a: b.c()}}; const c = {json.dumps(PRODUCTS)};</script>",
}


@pytest.mark.parametrize("name", list(SCRIPTS))
def test_the_state_completes_the_table(name: str) -> None:
    tiles = "".join(make_tile(n, price=False) for n in range(8))
    table = duramen.records(make_page(f"<ul>{tiles}</ul>").replace("</body>", f"{SCRIPTS[name]}</body>"))
    row = table.rows[3]
    assert (row["title"], row["price"], row["sku"]) == ("Chair 3", 3.5, "K-3")
    assert {column.source for column in table.columns if column.name == "sku"} == {"state"}


def test_rows_of_the_stream_refer_to_each_other() -> None:
    stream = join_flight([*next_app().replace("</script>", "").split("<script>")])
    element = read_flight(stream)[-1]
    assert element[3]["note"] == "Größe: M"
    assert element[3]["products"] == PRODUCTS
    assert read_flight('1:{"items":["$2","$L3"]}\n2:{"a":1}\n3:{"a":2}\n4:{"cut')[0] == {"items": [{"a": 1}, {"a": 2}]}


def test_a_stream_that_refers_to_itself_ends() -> None:
    assert read_flight('1:{"a":"$1","b":"$2"}\n2:["$1","$2"]\n')


def test_values_of_nuxt_may_be_wrapped() -> None:
    values = [{"day": 1, "map": 3, "ref": 6, "none": -1}, ["Date", "2024-03-02"], 5, ["Map", 4, 5], "key", "value"]
    assert read_nuxt_data(json.dumps([*values, ["Ref", 7], [5, -2]])) == {
        "day": "2024-03-02",
        "map": {"key": "value"},
        "ref": ["value", None],
        "none": None,
    }
    assert isinstance(read_nuxt_data('[["Ref", 0]]'), list)  # refers to itself
    assert read_nuxt_data("[") is None


def test_literals() -> None:
    text = """{a:1, 'b':"x\\x3c\\u00e9", "c": [.5,-2,,!1], $d: {}, e: 'it\\'s', f: "\\ud83d\\ude00",}"""
    value = {"a": 1, "b": "x<é", "c": [0.5, -2, None, False], "$d": {}, "e": "it's", "f": "😀"}
    assert read_literal(text) == (value, len(text))
    assert read_call("(function(a){return {x:a}}('y'))", 0)[0] == {"x": "y"}


@pytest.mark.parametrize("text", ["{a:f()}", "{a:1", "{a b}", "[1}", "{1", "{:1}", "", "{a:`x`}", "[1 2]", "{a:}", "]"])
def test_what_is_no_literal_is_refused(text: str) -> None:
    with pytest.raises(ScriptLiteralError):
        read_literal(text)


def test_scripts_with_code_are_left_alone() -> None:
    assert list(read_state("window.a = {b: window.c()}; function f() { return {} }")) == []
    assert list(read_state("window.__NUXT__=(function(a){a.b=1;return {c:a}}({}));")) == []


def test_deep_and_long_values_cost_linear_time() -> None:
    assert list(read_state("window.a=" + "[" * 100_000)) == []
    assert len(list(read_state("window.a={b:f};" * 5000))) == 0
    assert list(read_state('window.a={b:"' + "x" * 1_000_000)) == []

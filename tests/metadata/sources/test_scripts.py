"""The source `scripts`."""

from __future__ import annotations

import re
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import HEADLINE, TODAY

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.metadata import Metadata
from duramen.metadata.sources import scripts

SCRIPTS: Final = st.lists(
    st.sampled_from(
        [
            *('"date"', "'date'", '\\"author\\"', ":", ' : "2024-05-03"', '"', "'", "中", "\n", "{", "}", ' "Ann Oak"'),
            *('"author":{"name":"Ann Oak","date":"2024-01-02"}', "'created_at':'2023-01-01T00:00'", '"pubDate'),
            '"username":"ann"',
        ]
    ),
    max_size=8,
).map("".join)


@given(SCRIPTS)
@example('"author":"date":"2024-05-03"')
@example("""{"author": 'date': "2024-01-01", 'author': "Ann Oak"}""")
def test_scripts_claim_the_first_match_of_each_name(text: str) -> None:
    expected: dict[str, list[tuple[str, str]]] = {"published": [], "author": []}
    for field, found in expected.items():
        patterns = [pattern for each in scripts._PATTERNS.values() for name, pattern in each if name == field]
        matches = [match for pattern in patterns for match in pattern.finditer(text)]
        for match in sorted(matches, key=re.Match.start):
            name = match[1].lower().replace("_", "")
            if name not in [one for _, one in found]:
                found.append((match[2], name))
    claims = scripts.read_scripts(Tree.parse(f"<script>{text}</script>"), ())
    for field, found in expected.items():
        assert [claim.detail for claim in claims[field]] == [name for _, name in found]


def test_a_program_of_type_json_ld_is_read_as_a_script() -> None:
    script = '<script type="application/ld+json">var page = {"datePublished": "2024-05-17", "n": 1}</script>'
    found = Metadata.read(Page.parse(f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1>{script}"), TODAY).evidence(
        "published"
    )
    assert found is not None
    assert (found.value.isoformat(), found.source) == ("2024-05-17", "script")

"""Dates that a comment mentions, and dates on which it was posted."""

from __future__ import annotations

import pytest

from duramen.comments.timestamps import may_mention_date


@pytest.mark.parametrize(
    "text", ["I planted it on 3 May 2011.", "Seen it 5 years ago and loved it", "5年前に見ました。"]
)
def test_a_date_among_words_may_be_mentioned(text: str) -> None:
    assert may_mention_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "November 12, 2012 at 10:31 am",
        "12. Mai 2021, 14:05 Uhr",
        "2024年5月3日 星期五 10:30",
        "Posted by: Ben at October 28, 2012 04:59 PM",
    ],
)
def test_a_date_alone_or_in_a_signature_is_not_mentioned(text: str) -> None:
    assert not may_mention_date(text)

"""Compare the segmentations of comments: data records, groups of similar elements, or both.

python benchmarks/comments_segmentation.py DATA/articles-2012-dev
"""

from __future__ import annotations

import argparse
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from unittest.mock import patch

from duramen.comments import comment_segmentation, find_comments
from duramen.comments.comment_segmentation import CommentSegment
from duramen.comments.container import CommentContainer
from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.evaluation.comments import (
    OURS,
    get_comment_finders,
    make_comments_table,
    score_comments,
    summarize_comments,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    examples = read_set(parser.parse_args().set)
    variants: dict[str, AbstractContextManager[object]] = {
        "both": nullcontext(),
        "structure": patch.object(comment_segmentation, "find_record_lists", lambda *_: ()),
        "records": patch.object(comment_segmentation, "group_elements", lambda *_: {}),
    }
    for variant, change in variants.items():
        with change:
            pages = [page for scored in score_comments(examples, get_comment_finders()) for page in scored]
        print(f"{variant}\n{make_comments_table([summarize_comments(pages, OURS)])}\n")
    kinds: Counter[str] = Counter()
    chosen: list[CommentSegment] = []
    choose_records = comment_segmentation._choose_records

    def watch(container: CommentContainer, best_score: float) -> list[CommentSegment]:
        chosen[:] = choose_records(container, best_score)
        return list(chosen)

    with patch.object(comment_segmentation, "_choose_records", watch):
        for example in examples:
            comments = find_comments(Page.parse(example.read()).tree)
            if comments:
                nested = any(comment.depth for comment in comments)
                kinds["records" if chosen else "nested" if nested else "single" if len(comments) == 1 else "flat"] += 1
    print("pages segmented by data records, and by structure (nested, single, flat):", dict(kinds))


if __name__ == "__main__":
    main()

"""Authors and dates of the posts that the records of a list are."""

from __future__ import annotations

from collections.abc import Sequence

from duramen.comments.posts import Post, find_posts
from duramen.data_records.post_columns import PostValues
from duramen.dom.tree import Tree


def find_post_values(
    tree: Tree, spans: Sequence[range], url: str, records: Sequence[tuple[int, ...]]
) -> PostValues | None:
    """Find the posts of a thread and give their authors and dates for each record; None if most records have none.

    `spans` are the nodes of the main content. A record has the values of the first post in it.
    """
    posts = find_posts(tree, spans, url)
    of_record: list[Post | None] = [None] * len(records)
    starts = sorted((record[0], number) for number, record in enumerate(records))
    place = -1
    for post in sorted(posts, key=lambda post: post.node):
        while place + 1 < len(starts) and starts[place + 1][0] <= post.node:
            place += 1
        if place >= 0:
            number = starts[place][1]
            if post.node < tree.end[records[number][-1]] and of_record[number] is None:
                of_record[number] = post
    if 2 * sum(post is not None for post in of_record) <= len(records):
        return None
    return PostValues(
        [None if post is None else post.author for post in of_record],
        [None if post is None else post.machine_date or post.stamp for post in of_record],
    )

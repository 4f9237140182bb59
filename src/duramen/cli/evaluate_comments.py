"""`duramen evaluate --comments`: how well the comments of pages are found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duramen.evaluation import Example

_STOPPED = 130


def run_comments(examples: list[Example], *, with_peers: bool, scores: str | None) -> int:
    """Score, print the table, and write it where that is asked for."""
    from duramen.cli.outputs import write_whole
    from duramen.cli.progress import Progress, say, wants_bar
    from duramen.evaluation.comments import PageOfComments, finders, score_comments, summary, table

    which = finders(with_peers=with_peers)
    pages: list[PageOfComments] = []
    stopped = False
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        try:
            for scored in score_comments(examples, which):
                pages += scored
                progress.advance()
        except KeyboardInterrupt:
            stopped = True
    shown = table([summary(pages, finder) for finder in which])
    print(shown)
    if stopped:
        say(f"stopped after {len(pages) // len(which)} of {len(examples)} pages")
        return _STOPPED
    if scores is not None:
        write_whole(Path(scores), shown)
    return 0

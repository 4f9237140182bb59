"""Why exact wrappers transfer worse than `auto`: the words they lose on unseen pages, by reason.

    python benchmarks/site_transfer.py DATA SET PAGES

Each page of a set is extracted with a wrapper learned from PAGES other pages of its site. The difference to `auto` in
word F1 is added up over the pages by what happened: nothing was learned; the page does not fit; the region is part of
the article (it is cut into several elements); the region has other things too; the rest.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

from duramen.errors import InputError
from duramen.evaluation import Example, read_set
from duramen.evaluation.learned_wrappers import make_sample_page, split_site
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.score_tables import make_markdown_table
from duramen.language import words
from duramen.methods.auto.method import Auto
from duramen.wrappers import Wrapper, learn

LOST = 0.02
"""Pages that lose less are not counted."""


def find_reason(wrapper: Wrapper | None, example: Example, text: str) -> str:
    if wrapper is None:
        return "nothing was learned"
    if not text:
        return "the page does not fit"
    agreement = word_agreement(Counter(words(example.text or "")), Counter(words(text)))
    if agreement.recall < 0.9 and agreement.precision >= 0.9:
        return "the region is a part of the article"
    if agreement.precision < 0.9 and agreement.recall >= 0.9:
        return "the region has other things too"
    return "another region" if agreement.f1 < 0.5 else "a little of both"


def main() -> None:
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    sites: dict[str, list[Example]] = {}
    for example in read_set(folder / name):
        if example.text:
            sites.setdefault(example.site, []).append(example)
    pages: Counter[str] = Counter()
    loss: defaultdict[str, float] = defaultdict(float)
    total = 0
    for examples in sites.values():
        if len(examples) <= count:
            continue
        for split in split_site(examples, count):
            try:
                wrapper: Wrapper | None = learn([make_sample_page(example) for example in split.training])
            except InputError:
                wrapper = None
            for example in split.test:
                page = make_sample_page(example).page
                gold = Counter(words(example.text or ""))
                text = wrapper(page).text if wrapper else ""
                lost = word_agreement(gold, Counter(words(Auto()(page).text))).f1
                lost -= word_agreement(gold, Counter(words(text))).f1
                total += 1
                if lost > LOST:
                    reason = find_reason(wrapper, example, text)
                    pages[reason] += 1
                    loss[reason] += lost
                elif lost < -LOST:
                    pages["better than auto"] += 1
                    loss["better than auto"] += lost
    rows = [
        [reason, str(pages[reason]), f"{-value / total:+.4f}"]
        for reason, value in sorted(loss.items(), key=lambda item: -item[1])
    ]
    print(f"{name}, {count} pages, {total} pages scored\n")
    print(make_markdown_table(["what happened", "pages", "word F1 against auto"], rows))


if __name__ == "__main__":
    main()

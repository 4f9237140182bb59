"""Find the regular expressions of duramen that take quadratic time.

    python benchmarks/regexes.py
    python benchmarks/regexes.py --size 8000 --pattern sitemaps

The patterns are those that stand as module-level names in `src/duramen`, and in tuples, lists and dicts there. Each is
used as the source uses it, searched or matched at the start, on strings of one repeated piece, with a beginning and an
end that make the match fail late, at one size and at four times that size. A pattern is listed if its time grows more
than twelvefold (linear is four, quadratic sixteen), the best of three measurements at both sizes. The exit status is 1
if there is one.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import duramen

PIECES = (
    *" \n\t\r\xa0\u3000a0A_-.,;:!?/\\|*'\"`()[]{}<>=&#%+@~$^€字",
    *(
        "a ",
        " a",
        "a.",
        "a-",
        "ab",
        "a1",
        "1 ",
        "1.",
        "1,",
        "0-",
        "a,",
        "a\n",
        "\n\n",
        " \n",
        "<a",
        "<a ",
        "<a>",
        "</",
        "/>",
    ),
    *(
        "<!--",
        "-->",
        "a=",
        "a='",
        "='",
        "\\(",
        "$$",
        "$x",
        "{a",
        "{}",
        "[a",
        "](",
        "&a",
        "&#",
        "//",
        "a/",
        "/../",
        "http://",
    ),
    *(
        "#\n",
        "# ",
        "{{",
        "by ",
        "and ",
        "Mr. ",
        "May ",
        "1 May ",
        "2020-",
        "12:",
        "\\n",
        '\\"',
        "a;",
        "a: ",
        "@a",
        "a@",
        "1 €",
    ),
)
STARTS = ("", "a", "<a ", "{", "[", "$", "\\(", '"', "1", "https://a", "<!--", "by ")
END = "\x00"
SOURCE = "\n".join(path.read_text("utf-8") for path in Path(duramen.__path__[0]).rglob("*.py"))
GROWTH, MIN_SECONDS, LIMIT_SECONDS = 12.0, 0.004, 20.0


class TooSlowError(Exception):
    """A search takes too long."""


def find_patterns(word: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield all compiled patterns that modules of duramen hold, once."""
    seen: set[int] = set()
    for module_info in pkgutil.walk_packages(duramen.__path__, "duramen."):
        if module_info.name.endswith("__main__") or word not in module_info.name:
            continue
        try:
            module = importlib.import_module(module_info.name)
        except ImportError:  # an extra that is not installed
            continue
        for name, value in list(vars(module).items()):
            for pattern in list_patterns(value):
                if id(pattern) not in seen:
                    seen.add(id(pattern))
                    yield f"{module_info.name}.{name}", pattern


def list_patterns(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from list_patterns(part)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from list_patterns(part)


def is_searched(name: str) -> bool:
    """Return whether the source uses a pattern not only at the start of a string."""
    uses = set(re.findall(rf"\b{name}\.(\w+)\(", SOURCE)) & set(dir(re.Pattern))
    return not uses or bool(uses - {"match", "fullmatch"})


def measure(pattern: re.Pattern[Any], searched: bool, start: str, piece: str, size: int) -> float:
    """Return the processor seconds of a pattern on a string, the best of three.

    A pattern that is `searched` is searched everywhere in the string, another one is matched at its start.
    """
    text = start + piece * (size // len(piece)) + END
    given: Any = text if isinstance(pattern.pattern, str) else text.encode("utf-8")
    best = float("inf")
    for _ in range(3):
        before = time.process_time()
        if searched:
            for _ in pattern.finditer(given):
                pass
        else:
            pattern.match(given)
            pattern.fullmatch(given)
        best = min(best, time.process_time() - before)
        if best > 1:
            break
    return best


def check(pattern: re.Pattern[Any], searched: bool, size: int) -> Iterator[tuple[str, float, float]]:
    """Yield the inputs on which the time grows too fast, with both times."""
    for start in STARTS:
        for piece in PIECES:
            large = measure(pattern, searched, start, piece, 4 * size)
            if large < MIN_SECONDS:
                continue
            small = measure(pattern, searched, start, piece, size)
            if large > GROWTH * small:
                yield f"{start!r} + {piece!r} * {4 * size // len(piece)}", small, large


def stop(number: int, frame: FrameType | None) -> None:
    raise TooSlowError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000, help="characters of the smaller input (default: 1,000)")
    parser.add_argument("--pattern", default="", help="only patterns of modules whose name has this word")
    arguments = parser.parse_args()
    signal.signal(signal.SIGPROF, stop)
    count = bad = 0
    for name, pattern in find_patterns(arguments.pattern):
        count += 1
        signal.setitimer(signal.ITIMER_PROF, LIMIT_SECONDS)
        try:
            found = next(check(pattern, is_searched(name.rpartition(".")[2]), arguments.size), None)
        except TooSlowError:
            found = ("stopped", 0.0, LIMIT_SECONDS)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if found is not None:
            bad += 1
            print(
                f"{name}: {found[0]}: {found[1]:.4f} s, then {found[2]:.4f} s\n    {pattern.pattern!r}"[:400],
                flush=True,
            )
    print(f"{count} patterns, {bad} of them grow too fast")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

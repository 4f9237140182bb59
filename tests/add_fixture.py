"""Turn a fixture that the inspector saved into a case of `tests/pages`.

    python -m tests.add_fixture page.fixture.json CASE

It writes `page.html`, a `case.json` with the texts that must be kept and must not, and the expected outputs as they are
now. A page of other people is never committed: write the texts of `page.html` anew, and keep the markup that matters.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tests.expected_outputs import PAGES, write_expected


def add_fixture(fixture: Path, name: str, pages: Path = PAGES) -> Path:
    """Write the case and return its folder."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise SystemExit(f"{name!r} is no name of a case: use small letters, digits and hyphens")
    fields = json.loads(fixture.read_text("utf-8"))
    if not isinstance(fields.get("source"), str):
        raise SystemExit(f"{fixture} has no page: save it with the button Save fixture")
    folder = pages / name
    if folder.exists():
        raise SystemExit(f"{folder} exists already: choose another name")
    folder.mkdir(parents=True)
    (folder / "page.html").write_text(fields["source"], "utf-8", newline="")
    case = {"about": fields.get("note") or "from a report of the inspector", "url": fields.get("url")}
    case |= {key: fields[key] for key in ("must", "must_not") if fields.get(key)}
    case = {key: value for key, value in case.items() if value}
    (folder / "case.json").write_text(json.dumps(case, indent=1, ensure_ascii=False) + "\n", "utf-8")
    write_expected(folder)
    return folder


def main(arguments: list[str]) -> int:
    """Add one fixture. Return the exit status."""
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    print(add_fixture(Path(arguments[0]), arguments[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

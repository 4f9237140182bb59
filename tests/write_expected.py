"""Write the expected outputs of `tests/pages` and `tests/sites_pages`.

    python -m tests.write_expected            # all of them
    python -m tests.write_expected CASE…      # some, by the names of their folders

Look at `git diff` afterwards: every change of a file is a change of behavior.
"""

from __future__ import annotations

import sys

from tests.expected_outputs import cases, sites, write_expected


def main(names: list[str]) -> int:
    """Write the outputs of the named cases and sites, or of all. Return the exit status."""
    folders = {folder.name: folder for folder in [*cases(), *sites()]}
    unknown = [name for name in names if name not in folders]
    if unknown:
        print(f"no such case: {', '.join(unknown)}", file=sys.stderr)
        return 2
    for name in names or folders:
        changed = write_expected(folders[name])
        if changed:
            print(f"{name}: {', '.join(changed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

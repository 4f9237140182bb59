"""`python -m duramen` is the same as `duramen`."""

from __future__ import annotations

import sys

from duramen.cli import main

if __name__ == "__main__":
    sys.exit(main())

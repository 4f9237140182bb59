"""Search for failing pages with the coverage of the code as a guide: a target for atheris.

    pip install atheris
    python benchmarks/fuzz_atheris.py CORPUS -max_total_time=600

CORPUS is a folder of pages to begin with, and gets those that reach new code. All other arguments are those of
libFuzzer. The Python source of the compiled modules is run, because only that has coverage.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for `tests`


def main() -> int:
    try:
        import atheris
    except ImportError:
        print("this needs atheris: install it with  pip install atheris", file=sys.stderr)
        return 2
    from tests.run_pure import hide_extensions

    hide_extensions()
    with atheris.instrument_imports(include=["duramen"]):
        import duramen
        from fuzz import check_output, make_outputs

        for path in sorted((ROOT / "tests" / "pages").rglob("page.html"))[:20]:
            make_outputs(path.read_bytes())  # modules are imported at first use, and only here with coverage

    def check(html: bytes) -> None:
        for name, output in make_outputs(html).items():
            if not output.startswith(("InputError: ", "NotHTMLError: ")):
                check_output(name, output)

    print(f"duramen {duramen.__version__}")
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Make the picture of the inspector that the documents show.

python benchmarks/inspector_picture.py            # docs/pictures/inspector.png
python benchmarks/inspector_picture.py --theme dark -o dark.png
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from duramen.dom.page import Page
from duramen.inspector import InspectOptions, make_report
from duramen.rendering.find_browser import find_browser

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "examples" / "news.html"
COLORS = 256
"""Colors of the picture: fewer make a smaller file."""


def take_picture(report: Path, output: Path, size: tuple[int, int], fragment: str) -> None:
    """Write a picture of a report, as Chromium shows it."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            find_browser(),
            "--headless=new",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
            f"--window-size={size[0]},{size[1]}",
            "--virtual-time-budget=4000",
            f"--screenshot={output.resolve()}",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
            f"{report.as_uri()}#{fragment}",
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
    picture = Image.open(output).convert("RGB").quantize(COLORS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    picture.save(output, optimize=True)


def main() -> int:
    """Write the picture. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?", type=Path, default=PAGE)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs" / "pictures" / "inspector.png")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", default="1440x900", help="width and height (default: 1440x900)")
    parser.add_argument("--block", default="9", help="the block that is selected (default: 9)")
    parser.add_argument("--tab", default="left-out", help="the tab that is open (default: left-out)")
    args = parser.parse_args()
    width, _, height = args.size.partition("x")
    page = Page.parse(args.page.read_bytes())
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        options = InspectOptions(methods=("auto", "econ"), records=True, name=args.page.name)
        report.write_text(make_report(page, options), "utf-8")
        fragment = f"theme={args.theme}&tab={args.tab}&block={args.block}"
        take_picture(report, args.output, (int(width), int(height)), fragment)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Read the TeX of images of formulas: from their URL, or from their description."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote, unquote_plus

from duramen.structure.tex_source import looks_like_tex

_MATH_IMAGE_CLASSES: Final = frozenset(
    "tex latex math mathtex latexrender ee_img mwe-math-fallback-image-inline mwe-math-fallback-image-display"
    " mwe-math-fallback-png-inline mwe-math-fallback-png-display ql-img-inline-formula ql-img-displayed-formula"
    " ql-img-displayed-equation texrender tex-img latex-image wp-katex-eq mathcode".split()
)
"""Classes of images whose description is TeX."""

# Services that draw the TeX in their URL. `all` is the TeX up to the end; `value` is one parameter.
_URL = re.compile(
    r"codecogs\.com/[^?]*\?(?P<all>.+)"
    r"|/(?:mimetex|mathtex)(?:\.cgi|\.exe)?/?\?(?P<cgi>.+)"
    r"|/latex\.php\?(?:[^#]*?&)?latex=(?P<wordpress>[^&#]*)"
    r"|//chart\.(?:googleapis|apis\.google)\.com/chart\?(?=[^#]*cht=tx)(?:[^#]*?&)?chl=(?P<chart>[^&#]*)"
    r"|/equation\?(?:[^#]*?&)?tex=(?P<zhihu>[^&#]*)"
    r"|//latex\.csdn\.net/eq\?(?P<csdn>.+)"
    r"|//math\.jianshu\.com/math\?(?:[^#]*?&)?formula=(?P<jianshu>[^&#]*)"
    r"|/render/math\?(?:[^#]*?&)?math=(?P<github>[^&#]*)"
    r"|(?:i|tex)\.upmath\.me/(?:svg|png)/(?P<upmath>.+)"
    r"|//math\.(?:now\.sh|vercel\.app)/?\?(?:[^#]*?&)?from=(?P<now>[^&#]*)",
    re.IGNORECASE | re.DOTALL,
)
_WORDS: Final = (
    "latex",
    "tex?",
    "tex.",
    "tex=",
    "math",
    "cht=",
    "codecogs",
    "tex ",
    "tex-",
    "texrender",
    "ee_img",
    "ql-img",
)
"""One of these is in each such URL or class."""
MAX_URL_CHARS: Final = 20_000
_MAX_START_CHARS: Final = 300
"""Characters of a value that the quick test reads; images in `data:` URLs are long."""
_PLUS_IS_SPACE: Final = frozenset(("wordpress", "chart", "zhihu", "github", "now"))
_DRAWING_OPTION = re.compile(
    r"^(?:\s*\\(?:dpi\{[^}]*\}|bg_?\{?[a-z]+\}?(?=[\s\\])|fg_?\{?[a-z]+\}?(?=[\s\\])|inline|huge|large|small|tiny"
    r"|LARGE|fn_[a-z]+)(?![A-Za-z])\s*)+"
)


def may_be_formulas(values: Iterable[str | None]) -> bool:
    """Return whether URLs, descriptions or classes of images may belong to formulas: a quick test for all of a page."""
    starts = " ".join([value[:_MAX_START_CHARS] for value in values if value]).lower() + " "
    return "\\" in starts or "$" in starts or any(word in starts for word in _WORDS)


def read_image_url(url: str) -> str | None:
    """Return the TeX in the URL of a service that draws formulas; None if it is no such URL."""
    if url.startswith("data:") or len(url) > MAX_URL_CHARS or not any(map(url.lower().__contains__, _WORDS)):
        return None
    match = _URL.search(url)
    if match is None:
        return None
    service = match.lastgroup or ""
    value = match[service]
    if service in _PLUS_IS_SPACE:
        return unquote_plus(value)
    tex = unquote(value).replace("&space;", " ").replace("&plus;", "+")
    return _DRAWING_OPTION.sub("", tex) if service in ("all", "cgi") else tex


def is_tex_description(description: str, classes: str) -> bool:
    """Return whether the description of an image is TeX, by the image's classes or by itself."""
    return not _MATH_IMAGE_CLASSES.isdisjoint(classes.split()) or looks_like_tex(description)

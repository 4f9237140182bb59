"""Decode bytes as browsers do: byte order mark, HTTP charset, `<meta>`, then detection.

The names of encodings mean what the web means by them (https://encoding.spec.whatwg.org): `gb2312` is read as gb18030,
`iso-8859-1` as windows-1252, and so on. Decoding never fails: what cannot be decoded becomes U+FFFD.

One rule differs from browsers. A `<meta>` may be out of date: pages that were saved, archived or converted to UTF-8
often keep the declaration of their old encoding. Text in a legacy encoding is almost never valid UTF-8, so valid UTF-8
overrides a `<meta>` with a legacy encoding.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import TYPE_CHECKING

from duramen.dom.xml_root import FEED_ROOTS, SITEMAP_ROOTS, find_root_element
from duramen.errors import NotHTMLError

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

# The names of encodings on the web, and the Python codecs that read them. Other names are looked up in Python's
# registry, and are used only if they are aliases of a codec in this table: `base64` and `rot13` are codecs too.
_WEB_NAMES = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "x-user-defined": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "big5-hkscs": "big5hkscs",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc_kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-mac-ukrainian": "mac-cyrillic",
    "unicode": "utf-16-le",
    "utf-16": "utf-16-le",
    "unicode-1-1-utf-8": "utf-8",
    "x-unicode20utf8": "utf-8",
}
_CODECS = frozenset(
    "utf-8 utf-16-le utf-16-be cp866 cp874 cp932 cp949 gb18030 big5hkscs euc_jp iso2022_jp koi8-r koi8-u mac-roman"
    " mac-cyrillic hz iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13"
    " iso8859-14 iso8859-15 iso8859-16 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258".split()
)

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Browsers look for the declaration in the first 1024 bytes. Pages that start with long comments have it a little later.
# If the bytes are not UTF-8, more bytes are searched before the encoding is guessed.
_MAX_DECLARATION_BYTES = 4096
_MAX_LATE_DECLARATION_BYTES = 65536
_META = re.compile(rb"<meta\s[^>]*>|<\?xml\s[^>]*>", re.I)
_CHARSET = re.compile(rb"""[\s"';](?:charset|encoding)\s*=\s*["']?\s*([a-z0-9_.:-]+)""", re.I)
_DESCRIPTION = re.compile(rb"""\b(?:name|property|itemprop)\s*=""", re.I)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.S)
_HTTP_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.I)

_MAX_DETECTION_BYTES = 8192
_ASCII_TO_SPACE = b" " * 128 + bytes(range(128, 256))
_FOREIGN = re.compile(rb"[\x80-\x9f\xa1-\xff]")  # without the no-break space, which pages use for layout
_FOREIGN_WORD = re.compile(rb"[\x80-\x9f\xa1-\xff]{3,}")
_SYMBOL = re.compile(rb"(?<![A-Za-z\x80-\xff])[\xa1-\xbf](?![A-Za-z\x80-\xff])")  # in Latin code pages: £ © §
_WHOLE_CHARACTERS = re.compile(rb".*[\s,.;]", re.S)

_LATIN = ["cp1250", "iso8859_2", "cp1254", "cp1257"]
_NOT_LATIN = "gb18030 big5hkscs cp932 euc_jp cp949 cp1251 koi8_r cp866 cp1253 cp1255 cp1256 cp874".split()
_EAST_ASIAN = _NOT_LATIN[:5]
_MAX_CHAOS = 0.1
"""Above this chaos, as charset-normalizer measures it, another encoding than windows-1252 is tried."""


def decode(data: bytes, encoding: str | None = None) -> str:
    """Return the text without byte order mark, and with U+FFFD for bytes that cannot be decoded.

    Without an encoding, the one that `find_encoding` finds is used.
    """
    return data.decode(encoding or find_encoding(data), "replace").removeprefix("\ufeff")


def replace_lone_surrogates(text: str) -> str:
    """Replace halves of surrogate pairs, which cannot be encoded, by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def find_encoding(data: bytes, content_type: str | None = None) -> str:
    """Return the Python codec that reads these bytes; `content_type` is the HTTP header, if known."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return encoding
    if content_type and (match := _HTTP_CHARSET.search(content_type)) and (named := find_codec(match[1])):
        return named
    declared = _find_declared(data)
    if declared == "utf-8":
        return declared
    if declared and (data.isascii() or not _is_utf8(data)):
        return declared
    return _detect(data)


def find_codec(name: str) -> str | None:
    """Return the Python codec for the name of an encoding on web pages; None for an unknown name."""
    name = name.strip().lower()
    if name in _WEB_NAMES:
        return _WEB_NAMES[name]
    try:
        name = codecs.lookup(name).name
    except (LookupError, ValueError):  # ValueError: a NUL or a surrogate in the name
        return None
    name = _WEB_NAMES.get(name, name)
    return name if name in _CODECS else None


def _find_declared(data: bytes, max_bytes: int = _MAX_DECLARATION_BYTES) -> str | None:
    """Return the encoding that `<meta charset>`, `<meta http-equiv content>` or `<?xml encoding>` declares."""
    head = data[:max_bytes]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    for meta in _META.finditer(head):  # stops at the first declaration, which is near the start of most pages
        tag = meta[0]
        match = None if _DESCRIPTION.search(tag) else _CHARSET.search(tag)  # a description may mention a charset
        if match and (encoding := find_codec(match[1].decode("ascii"))):
            # The declaration was read as ASCII, so the page is not UTF-16.
            return "utf-8" if encoding in ("utf-16-le", "utf-16-be") else encoding
    return None


def _is_utf8(data: bytes) -> bool:
    """Return whether this is UTF-8 with at most a few invalid bytes: a truncated end, an error in a long text."""
    try:
        data.decode()
    except UnicodeDecodeError:
        words = data.translate(_ASCII_TO_SPACE).split()
    else:
        return True
    text = "".join(word.decode("utf-8", "replace") for word in words)
    return text.count("\ufffd") * 50 < len(text)


def _detect(data: bytes) -> str:
    if (wide := _detect_utf16(data[:1024])) is not None:
        return wide
    # The escape sequence of two-byte characters, in otherwise ASCII text. Searching for one byte first is much faster.
    if b"\x1b" in data and b"\x1b$" in data:
        return "iso2022_jp"
    if _is_utf8(data):
        return "utf-8"
    if (declared := _find_declared(data, _MAX_LATE_DECLARATION_BYTES)) not in (None, "utf-8"):
        return str(declared)
    sample = _sample_non_ascii_text(data)
    # In Latin text non-ASCII letters are single; in other scripts they form whole words.
    if 2 * sum(map(len, _FOREIGN_WORD.findall(sample))) <= len(_FOREIGN.findall(sample)):
        return _detect_latin(_SYMBOL.sub(b" ", sample))
    best = _find_best_match(sample, _NOT_LATIN)
    if best is not None:
        return find_codec(best.encoding) or "cp1252"
    # The detector rejects an encoding if a single byte is invalid. Take the one with the fewest invalid bytes.
    return min(_EAST_ASIAN, key=lambda name: sample.decode(name, "replace").count("\ufffd"))


def _detect_latin(sample: bytes) -> str:
    """Return windows-1252, the default of the web, unless another code page gives a text with less chaos.

    With so few bytes the detector would read £ as a Polish letter. It cannot distinguish Hungarian and Turkish from
    Western European languages, whose letters have the same bytes; browsers cannot either.
    """
    default = _find_best_match(sample, ["cp1252"])
    if default is None or default.chaos >= _MAX_CHAOS:
        best = _find_best_match(sample, _LATIN)
        if best is not None and (default is None or best.chaos < default.chaos):
            return find_codec(best.encoding) or "cp1252"
    return "cp1252"


def _find_best_match(sample: bytes, encodings: list[str]) -> CharsetMatch | None:
    from charset_normalizer import from_bytes  # late: the import costs as much as ten pages

    return from_bytes(sample, cp_isolation=encodings).best()


def _sample_non_ascii_text(data: bytes) -> bytes:
    """Return text with non-ASCII characters, without markup, and not more than the detector needs.

    The sample ends between texts, or at white space or ASCII punctuation, which is never part of a longer character:
    the detector rejects an encoding if a single byte is invalid.
    """
    texts: list[bytes] = []
    size = 0
    for piece in data[: 64 * _MAX_DETECTION_BYTES].split(b">"):
        if piece.isascii():
            continue
        text = piece.partition(b"<")[0]
        if not text.isascii():
            texts.append(text)
            size += len(text)
            if size > _MAX_DETECTION_BYTES:
                break
    sample = b" ".join(texts)
    if size > 2 * _MAX_DETECTION_BYTES:
        whole = _WHOLE_CHARACTERS.match(sample[: 2 * _MAX_DETECTION_BYTES])
        sample = whole[0] if whole else sample[: 2 * _MAX_DETECTION_BYTES]
    return sample


def _detect_utf16(head: bytes) -> str | None:
    """Return the codec of UTF-16 without a byte order mark: markup is ASCII, so nearly every other byte is zero."""
    if len(head) < 4:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 4
    if odd > half and even < odd // 8:
        return "utf-16-le"
    if even > half and odd < even // 8:
        return "utf-16-be"
    return None


_MAGIC = (
    (b"%PDF-", "a PDF document"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "gzip-compressed: decompress it first"),
    (b"(\xb5/\xfd", "zstd-compressed: decompress it first"),
    (b"\xfd7zXZ", "xz-compressed: decompress it first"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript document"),
    (b"\x7fELF", "a program"),
    (b"WARC/", "a WARC file, which holds many pages"),
)
_MAGIC_PATTERNS = (
    (re.compile(rb"RIFF.{4}(?:WEBP|WAVE|AVI )", re.S), "a RIFF file (WebP, WAV, AVI)"),
    (re.compile(rb"BZh[1-9]1AY&SY"), "bzip2-compressed: decompress it first"),
)
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\f\r\x1b\0")


def refuse_other_formats(source: str | bytes) -> None:
    """Raise `NotHTMLError` if the source is clearly neither HTML nor plain text.

    JSON is refused too: its strings would be extracted as prose. So are feeds and sitemaps, which are lists of pages.
    """
    if isinstance(source, str):
        head, tail = source[:1024].encode("utf-8", "replace"), source[-64:].encode("utf-8", "replace")
    else:
        head, tail = source[:1024], source[-64:]
    head, tail = head.lstrip(), tail.rstrip()
    if head.startswith(b"<"):
        _refuse_lists_of_pages(head)
    else:
        _refuse_known_formats(head)
    if (head[:1], tail[-1:]) in ((b"{", b"}"), (b"[", b"]")) and _is_json(source):
        raise NotHTMLError("not an HTML page but JSON: pass the HTML inside it")
    if len(head.translate(None, _CONTROLS)) < 0.9 * len(head) and _detect_utf16(head) is None:
        raise NotHTMLError("not an HTML page but binary data")


def _refuse_known_formats(head: bytes) -> None:
    """Raise `NotHTMLError` if the first bytes are those of a known format."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            raise NotHTMLError(f"not an HTML page but {kind}")
    for pattern, kind in _MAGIC_PATTERNS:
        if pattern.match(head):
            raise NotHTMLError(f"not an HTML page but {kind}")


def _refuse_lists_of_pages(head: bytes) -> None:
    root = find_root_element(head)
    kind = "a feed" if root in FEED_ROOTS else "a sitemap" if root in SITEMAP_ROOTS else ""
    if kind:
        raise NotHTMLError(f"not an HTML page but {kind}: duramen run extracts the pages that it lists")


def _is_json(source: str | bytes) -> bool:
    try:
        json.loads(source)
    except (ValueError, RecursionError):
        return False
    return True

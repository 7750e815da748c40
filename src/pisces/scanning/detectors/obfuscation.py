"""Obfuscated code: decoded and run at once, encoded blobs in scripts, lines too long to review."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import CONFIG, DOC, SHELL, SOURCE
from pisces.scanning.words import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ENCODED_RUN = Rule("scan-encoded-run", ERROR, "Code is decoded and run at once")
ENCODED_BLOB = Rule("scan-encoded-blob", WARNING, "A script holds a large encoded block")
ESCAPED_LETTERS = Rule("scan-escaped-letters", WARNING, "Plain letters are written as escapes")
LONG_LINE = Rule("scan-long-line", NOTE, "A program has lines that are too long to review")

_B64 = (
    r"(?:atob|b64decode|base64_decode|base64\.decode\w{0,9}|frombase64string"
    r"|unhexlify|bytes\.fromhex|zlib\.decompress|marshal\.loads|lzma\.decompress)"
)
_RUNS = (
    re.compile(
        rf"\b(?:eval|exec|function|execsync|spawnsync|system|popen|compile"
        rf"|(?:pickle|marshal|dill|cloudpickle)\.loads|assert|invoke-expression|iex)\s{{0,4}}\([^\n]{{0,60}}{_B64}",
        re.I,
    ),
    re.compile(
        r"\b(?:eval|exec|Function" r"|execSync)\s{0,4}\([^\n]{0,40}Buffer\.from\([^\n]{0,400}['\"](?:base64|hex)['\"]"
    ),
    re.compile(
        r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|ncodedcommand|c)?\s{1,4}[A-Za-z0-9+/=]{20}", re.I
    ),
    re.compile(
        r"\b(?:eval|(?:ba|z|da)?sh\s-c)\b[^\n]{0,40}\$\([^\n"
        r"|)]{0,400}\|\s{0,4}(?:base64\s{1,4}(?:-d|-D|--decode)|xxd\s-r)"
    ),
    re.compile(r"\b(?:eval|Function)\s{0,4}\(\s{0,9}String\.fromCharCode\("),
)
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{1000}|(?:\\x[0-9a-fA-F]{2}){120}|(?:0x[0-9a-fA-F]{2},\s{0,3}){200}")
_DATA_ADDRESS = re.compile(
    r"(?:data:[\w./+-]{1,60};(?:charset=[\w-]{1,20};)?base64,|sourceMappingURL=|sha(?:256|384|512)-)[\w+/=-]{0,40}$"
)
_ESCAPED = re.compile(r"(?<!\\)(?:\\(?:u00|x)(?:[46][1-9a-fA-F]|[57][0-9aA])){1,250}")
_PICTURES = tuple("iVBORw0KGgo /9j/ R0lGOD UklGR PHN2Zy PD94bWwg AAABAA d09GR T1RUTw AAEAAAA JVBERi SUQz".split())
_LONG = 5000
_BLOB_LENGTH = 900
_DECODING = words(
    *("atob", "b64decode", "base64", "base64_decode", "base64.decode", "frombase64string", "fromhex", "unhexlify"),
    *("zlib.decompress", "lzma.decompress", "marshal.loads", "fromcharcode", "powershell", "pwsh", "xxd -r"),
)
_ESCAPING = words("\\u00*", "\\x*")


def _find(page: Page) -> Diagnostics:
    for found in page.matches(_RUNS, _DECODING, before=600):
        yield _encoded_run(page, found)
    if page.role != DOC:
        yield from _escaped(page)
    if page.role in (SHELL, SOURCE):
        long = [(start, end) for start, end in _lines(page.text) if end - start > _BLOB_LENGTH]
        yield from _blobs(page, long)
        yield from _long_lines(page, long)


def _encoded_run(page: Page, found: re.Match[str]) -> Diagnostic:
    finding = page.weighed(ENCODED_RUN, found.start(), f"`{excerpt(found[0])}` runs what it decodes")
    return finding.replace(severity=ERROR) if finding.severity == WARNING and page.role == SOURCE else finding


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _blobs(page: Page, lines: list[tuple[int, int]]) -> Diagnostics:
    for start, stop in lines:
        end = -1
        for found in _BLOB.finditer(page.text, start, stop):
            is_more, end = found.start() == end, found.end()
            if not is_more and not _is_plain(page.text, found):
                message = f"an encoded block begins with `{excerpt(found[0], 24)}`"
                yield page.finding(ENCODED_BLOB, found.start(), message)


def _is_plain(text: str, blob: re.Match[str]) -> bool:
    """Whether the block is an image, a font or a line of dashes."""
    return (
        len(set(blob[0])) < 12
        or blob[0].startswith(_PICTURES)
        or bool(_DATA_ADDRESS.search(text, max(0, blob.start() - 150), blob.start() + 1))
    )


def _escaped(page: Page) -> Diagnostics:
    """Programs may escape single letters; files that only hold data have no reason to."""
    fewest = 1 if page.role == CONFIG else 4
    for found in page.matches((_ESCAPED,), _ESCAPING, before=0, after=1700):
        if (spelled := _spelled(found[0])) and len(spelled) >= fewest:
            yield page.finding(ESCAPED_LETTERS, found.start(), f"`{excerpt(found[0], 40)}` spells {spelled!r}")


def _spelled(text: str) -> str:
    codes = re.findall(r"[0-9a-fA-F]{2}(?=\\|$)", text[:200])
    return "".join(chr(int(code, 16)) for code in codes)


def _long_lines(page: Page, lines: list[tuple[int, int]]) -> Diagnostics:
    start, end = max(lines, key=lambda each: each[1] - each[0], default=(0, 0))
    if end - start > _LONG:
        yield page.finding(LONG_LINE, start, f"the line has {end - start:,} characters")


DETECTOR = Detector("code that is made hard to read", _find)

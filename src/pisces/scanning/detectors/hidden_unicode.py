"""Invisible characters: text that a model reads and a reviewer does not, or that is shown in another order."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import BINARY, LINK, SPECIAL, TEXT, UNREAD, Page
from pisces.scanning.roles import DOC

TAG_CHARACTERS = Rule("scan-tag-characters", ERROR, "Text is hidden in invisible tag characters")
BIDI_CONTROL = Rule("scan-bidi-control", ERROR, "Text is shown in another order than it is read")
ZERO_WIDTH = Rule("scan-zero-width", WARNING, "Characters of no width are in the text")
VARIATION_SELECTORS = Rule("scan-variation-selectors", ERROR, "Data is hidden in variation selectors")

_HIDDEN = re.compile(
    "[\U000e0000-\U000e007f]{1,4000}"
    "|[\u202a-\u202e\u2066-\u2069]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{1,4000}"
    "|[\u200b-\u200d\u2060-\u2064\u180e\ufeff\u3164\uffa0\u115f\u1160\u034f]{1,4000}"
)
_RANGES = (
    (0xE0000, 0xE007F),
    (0x202A, 0x202E),
    (0x2066, 0x2069),
    (0xFE00, 0xFE0F),
    (0xE0100, 0xE01EF),
    (0x200B, 0x200D),
)
_HIDDEN_ONES = {chr(code) for first, last in _RANGES for code in range(first, last + 1)}
_HIDDEN_ONES |= set("\u2060\u2061\u2062\u2063\u2064\u180e\ufeff\u3164\uffa0\u115f\u1160\u034f")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_OVERRIDES = "\u202d\u202e"
_JOINERS = "\u200c\u200d"
_FLAG = "\U0001f3f4"
_MANY = 8


def _find(page: Page) -> Diagnostics:
    if not page.name.isascii():
        yield from _in_name(page)
    if page.kind == TEXT and not page.text.isascii() and not _HIDDEN_ONES.isdisjoint(page.odd):
        for found in _HIDDEN.finditer(page.text):
            yield from _judged(page, page.text, found)


def _in_name(page: Page) -> Diagnostics:
    for found in _HIDDEN.finditer(page.name):
        for finding in _judged(page, page.name, found):
            yield finding.replace(message=f"the file name: {finding.message}", line=0, column=0)


def _judged(page: Page, text: str, found: re.Match[str]) -> Diagnostics:
    run, at = found[0], found.start()
    before = text[at - 1 : at]
    if "\U000e0000" <= run[0] <= "\U000e007f":
        if before != _FLAG or len(run) > 7:
            yield _finding(page, TAG_CHARACTERS, at, f"{_counted(run)} hide {_hidden_text(run)!r}")
    elif "\u202a" <= run[0] <= "\u202e" or "\u2066" <= run[0] <= "\u2069":
        yield _bidi(page, text, at)
    elif "\ufe00" <= run[0] <= "\ufe0f" or run[0] >= "\U000e0100":
        if len(run) > 1 or (run[0] >= "\U000e0100" and not before >= "\u3400"):
            yield _finding(page, VARIATION_SELECTORS, at, f"{_counted(run)} behind {before!r}")
    elif not _is_in_place(text, found):
        yield _zero_width(page, run, at)


def _bidi(page: Page, text: str, at: int) -> Diagnostic:
    finding = _finding(page, BIDI_CONTROL, at, f"U+{ord(text[at]):04X} changes the order in which the line is shown")
    is_script = bool(_RIGHT_TO_LEFT.search(text, max(0, at - 200), at + 200))
    return finding.replace(severity=NOTE) if is_script and text[at] not in _OVERRIDES else finding


def _zero_width(page: Page, run: str, at: int) -> Diagnostic:
    finding = _finding(page, ZERO_WIDTH, at, f"{_counted(run)} of no width")
    severity = ERROR if len(run) >= _MANY else NOTE if page.role == DOC else WARNING
    return finding.replace(severity=severity)


def _is_in_place(text: str, found: re.Match[str]) -> bool:
    """A byte order mark at the start; joiners inside emoji and in scripts that need them."""
    run, at = found[0], found.start()
    if len(run) > 1:
        return False
    if run == "\ufeff":
        return at == 0
    return run in _JOINERS and text[at - 1 : at] > "\u02ff" and text[at + 1 : at + 2] > "\u02ff"


def _finding(page: Page, rule: Rule, at: int, message: str) -> Diagnostic:
    return page.finding(rule, at, message, hint="delete them, or ask why they are there")


def _counted(run: str) -> str:
    return f"{len(run)} characters from U+{ord(run[0]):04X}" if len(run) > 1 else f"U+{ord(run):04X}"


def _hidden_text(run: str) -> str:
    """What a model reads."""
    return "".join(chr(ord(each) - 0xE0000) for each in run[:200])


DETECTOR = Detector("characters that nobody sees", _find, kinds=(TEXT, BINARY, LINK, SPECIAL, UNREAD), everywhere=True)

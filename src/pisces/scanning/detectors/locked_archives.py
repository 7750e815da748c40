"""Archives with a password: no scanner sees into them, which is their use in an attack."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.contexts import line_at
from pisces.scanning.detector import Detector
from pisces.scanning.page import BINARY, TEXT, Page, excerpt
from pisces.scanning.quiet import is_warned_of
from pisces.scanning.roles import DOC, PROMPT, SHELL, SOURCE
from pisces.scanning.words import words

LOCKED_ARCHIVE = Rule("scan-locked-archive", ERROR, "An archive is locked with a password, or such a one is unpacked")
PASTED_COMMAND = Rule("scan-pasted-command", ERROR, "A user is told to paste a command that somebody else shows")

_ENCRYPTED = 1  # of the flags in the header of a zip entry
_UNPACKS = re.compile(
    r"\bunzip\b[^\n;|]{0,100}\s-P\s{0,2}\S|\b7z[azr]?\s{1,4}[xe]\b[^\n;|]{0,120}\s-p\S|\bunrar\s{1,4}[xe]\b[^\n;"
    r"|]{0,100}\s-p\S"
    r"|\bopenssl\s{1,4}enc\s{1,4}[^\n;|]{0,80}-d\b[^\n;|]{0,120}-(?:k|pass)\s"
    r"|\.extractall\([^\n]{0,120}pwd\s{0,2}=|\.setpassword\("
)
_PASSWORD = (
    r"\b(?:password|passphrase|passcode|pwd|pass(?=\s{0,2}[:=]|\s{1,2}[`\"'])"
    r"|(?:key|code|pin)(?=\s{0,2}(?:is|:)\s{0,2}[`\"']))"
)
_WRITTEN_ORDER = re.compile(
    rf"\b(?:extract|unzip|unpack|decompress|archive|zip|7z|rar)\w{{0,4}}\b[^\n|]{{0,160}}(?:\n[^\n"
    rf"|]{{0,120}})?{_PASSWORD}[^\n|]{{0,60}}"
    rf"|\b(?:with|using)\s{{1,4}}(?:the\s{{1,4}})?{_PASSWORD}[^\n|]{{0,40}}[`\"'][^`\"'\n]{{2,40}}[`\"']",
    re.I,
)
_ARCHIVE = re.compile(r"\.(?:zip|7z|rar|tar\.gz|tgz)\b|\barchive\b|https?://", re.I)
_SECRET_GIVEN = re.compile(
    _PASSWORD + r"\s{0,4}(?:(?:is(?=\s)|:|=)\s{0,4}\*{0,2}[`\"'(]{0,2}|\*{0,2}[`\"'(]{1,2})[\w!@#$%-]{3,40}[`\"')]?",
    re.I,
)
_STARTED = re.compile(r"(?<!never )(?<!not )(?<!n't )\b(?:run|start|execute|launch|install|double-click|open)\b", re.I)
_THEN_STARTED = re.compile(
    r"[^\n;|&]{0,120}(?:&&|;|\n)\s{0,9}(?:open|start|sh|bash|node|python3?|chmod|\./|[\w./-]{1,60}\.(?:exe|command|sh))"
)
_PASTE = re.compile(
    r"\b(?:copy|take)\b[^\n]{0,80}\b(?:paste|run|execute)\b[^\n]{0,40}\b(?:terminal|powershell|command\s(?:line"
    r"|prompt)|console|shell)\b"
    r"|\bpaste\b[^\n]{0,40}\b(?:into|in)\b[^\n]{0,20}\b(?:terminal|powershell|command\s(?:line|prompt)|console)\b",
    re.I,
)
_PASTED_FROM = re.compile(
    r"\b(?:visit|open|go\sto|see)\b[^\n]{0,20}https?://[^\n]{4,160}\b(?:copy|run|execute|paste)\b[^\n]{0,60}"
    r"\b(?:commands?|script|terminal|powershell|console)\b",
    re.I,
)
_LINK = re.compile(r"https?://(?!localhost|127\.)[^\s)`\"']{4,200}")
_FROM = re.compile(r"glot\.io|pastebin|rentry|hastebin|paste\.|gist\.github|telegra\.ph|t\.me/", re.I)


def _find(page: Page) -> Diagnostics:
    if page.data.startswith(b"PK\x03\x04") and int.from_bytes(page.data[6:8], "little") & _ENCRYPTED:
        yield LOCKED_ARCHIVE.at(page.path, "the archive is encrypted", hint="ask for the password and look inside")
    if page.kind != TEXT:
        return
    for found in page.matches((_UNPACKS,), _UNPACKING):
        message = f"`{excerpt(found[0])}` unpacks a locked archive"
        finding = page.weighed_in_program(LOCKED_ARCHIVE, found.start(), message)
        is_started = finding.severity == WARNING and page.role == PROMPT and _THEN_STARTED.match(page.text, found.end())
        yield finding.replace(severity=ERROR) if is_started else finding
    if page.role not in (SHELL, SOURCE):
        yield from _written_orders(page)


def _written_orders(page: Page) -> Diagnostics:
    for found in page.matches((_WRITTEN_ORDER,), _TELLING, before=200, after=250):
        around = page.text[max(0, found.start() - 200) : found.end() + 120]
        if _ARCHIVE.search(around) and _SECRET_GIVEN.search(around) and _STARTED.search(around):
            yield from _order(page, LOCKED_ARCHIVE, found)
    for found in page.matches((_PASTE, _PASTED_FROM), _PASTING, before=220, after=160):
        around = page.text[max(0, found.start() - 250) : found.end() + 200]
        if _LINK.search(around) and _FROM.search(around):
            yield from _order(page, PASTED_COMMAND, found)


def _order(page: Page, rule: Rule, found: re.Match[str]) -> Diagnostics:
    line, column = line_at(page.text, found.start())
    finding = page.finding(rule, found.start(), f"`{excerpt(found[0])}`")
    is_order = page.role == PROMPT and not is_warned_of(line, column)
    yield finding if is_order else finding.replace(severity=NOTE if page.role == DOC else "warning")


_UNPACKING = words("unzip", "7z", "7za", "unrar", "openssl enc", "extractall", "setpassword")
_TELLING = words(
    "password",
    "pass",
    "passphrase",
    "passcode",
    "pwd",
    *(f"{key} is" for key in ("key", "code", "pin")),
    "key:",
    "code:",
    "pin:",
)
_PASTING = words("paste", "copy", "take")

DETECTOR = Detector("archives that are locked", _find, kinds=(TEXT, BINARY), in_references=True)

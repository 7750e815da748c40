"""Text that makes an agent act against its user: overrides its instructions, or hides actions from the user."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.scanning.contexts import line_at
from pisces.scanning.detector import Detector
from pisces.scanning.known_files import all_scanning
from pisces.scanning.page import Page, excerpt
from pisces.scanning.quiet import is_warned_of
from pisces.scanning.roles import CONFIG, PROMPT, SHELL, SOURCE
from pisces.scanning.words import words

OVERRIDING_WORDS = Rule("scan-overriding-words", ERROR, "A text tells the agent to forget what it was told")
BEHIND_THE_BACK = Rule("scan-behind-the-back", WARNING, "A text tells the agent to keep something from its user")
APPROVAL_OFF = Rule("scan-approval-off", WARNING, "Approvals are switched off")

_BEFORE = r"(?:previous|prior|above|preceding|earlier|foregoing|system|original|your)"
_INSTRUCTIONS = r"(?:instructions?|prompts?|rules|directives?|guidelines|guardrails|context|messages?)"
_OVERRIDES = re.compile(
    r"\b(?:override|bypass)\s{1,4}(?:all\s{1,4})?(?:your|previous|prior"
    r"|safety)\s{1,4}(?:\w{1,12}\s{1,4})?(?:instructions|guardrails|guidelines|rules)\b"
    rf"|\b(?:ignore|disregard|forget)\s{{1,4}}(?:(?:all|any|every|of|the|your|my|these|those)\s{{1,4}}){{0,4}}"
    rf"{_BEFORE}\s{{1,4}}(?:\w{{1,12}}\s{{1,4}})?{_INSTRUCTIONS}\b"
    r"|\bforget\s{1,4}everything\s{1,4}(?:above|before|you|prior)"
    r"|\byou\s{1,4}are\s{1,4}now\s{1,4}(?:DAN\b"
    r"|in\s{1,4}(?:developer|god|jailbreak)\s{1,4}mode|jailbroken|unrestricted)"
    r"|\bnew\s{1,4}system\s{1,4}prompt\s{0,4}:",
    re.I,
)
_HIDES = re.compile(
    r"\b(?:do\s{1,4}not|don['’]?t|never|must\s{1,4}not|without)\s{1,4}(?:ever\s{1,4})?"
    r"(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|mention(?:ing)?)"
    r"\s{1,4}(?:(?:this|that|it|any\s{1,4}of\s{1,4}this|these)\s{1,4})?(?:to\s{1,4})?the\s{1,4}(?:user|human)\b"
    r"(?!['’]s|\s{1,4}(?:to|that|they|the|a|an|there|it|what|how|which|unless|until|when|if)\b|\s{1,4}[\"“'‘`])"
    r"|\b(?:keep|hide)\s{1,4}(?:this|it|that)\s{1,4}(?:secret\s{1,4}|hidden\s{1,4})?from\s{1,4}the\s{1,4}user\b"
    r"|\bdon['’]?t\s{1,4}let\s{1,4}the\s{1,4}user\s{1,4}(?:know|see|notice)\b",
    re.I,
)
_APPROVAL_OFF = tuple(pair for each in all_scanning() for pair in each.approval_off)
_ASKS_NOBODY = re.compile("|".join(dict.fromkeys(pattern for _, pattern in _APPROVAL_OFF)))


def _find(page: Page) -> Diagnostics:
    name = _OVERRIDES.search(re.sub(r"[_.-]", " ", page.base[:300]))
    if name:
        yield page.finding(OVERRIDING_WORDS, 0, f"the name of the file says `{excerpt(name[0])}`")
    for found in page.matches((_OVERRIDES,), _OVERRIDING, before=0, after=200):
        message = f"`{excerpt(found[0])}`"
        yield _judged(page, page.finding(OVERRIDING_WORDS, found.start(), message), found.start())
    for found in page.matches((_HIDES,), _USERS, before=80, after=40):
        message = f"`{excerpt(found[0])}`"
        finding = page.finding(BEHIND_THE_BACK, found.start(), message)
        # "without telling the user" mostly criticises such behaviour.
        is_plain = page.role == PROMPT and found[0][:1] not in "wW"
        yield finding if is_plain else finding.replace(severity=NOTE)
    for found in page.matches((_ASKS_NOBODY,), _ASKING, after=80):
        yield _approval(page, found)


def _approval(page: Page, found: re.Match[str]) -> Diagnostic:
    finding = page.weighed(APPROVAL_OFF, found.start(), f"`{excerpt(found[0])}`")
    if page.role == CONFIG:
        return finding.replace(severity=WARNING)
    # Nobody asked for an agent when a package is installed or a hook runs.
    before, quote = page.text[max(0, found.start() - 20) : found.start() - 1], page.text[found.end() : found.end() + 1]
    is_listed = quote in ("'", '"', "`") and before.rstrip().endswith(("[", ",", "(", "="))
    is_argument = page.role == SHELL or (page.role == SOURCE and is_listed)
    is_unasked = is_argument and (page.is_hook or "package.json" in page.started)
    return finding.replace(severity=ERROR) if is_unasked and finding.severity == WARNING else finding


def _judged(page: Page, finding: Diagnostic, at: int) -> Diagnostic:
    """A lower severity where the words are quoted: warnings about injection quote it."""
    line, column = line_at(page.text, at)
    quoted = _is_quoted(line, column) or _is_quoted_on(page.text, at) or is_warned_of(line, column)
    quoted = quoted or line.lstrip().startswith("|")  # a table of examples
    if page.role not in (PROMPT, CONFIG) or quoted:
        return finding.replace(severity=NOTE)
    return finding.replace(severity=WARNING) if page.fence(at) is not None else finding


def _is_quoted(line: str, column: int) -> bool:
    """Between two quotes that are near; the quotes of a value in JSON or TOML are none."""
    mark = line[column - 1 : column]
    if mark not in _QUOTES or _VALUE.search(line, 0, column):
        return False
    return line.find(_QUOTES[mark], column, column + 120) >= 0


def _is_quoted_on(text: str, at: int) -> bool:
    """Between quotes of which the second is on the next line."""
    mark = text[at - 1 : at]
    end = text.find(_QUOTES[mark], at, at + 80) if mark in _QUOTES and mark != "'" else -1
    return end >= 0 and text.count("\n", at, end) == 1 and not _VALUE.search(text, max(0, at - 20), at)


_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "「": "」"}
_VALUE = re.compile(r"[:=]\s{0,9}[\"']{1,3}$")
_OVERRIDING = words(
    *("ignore", "disregard", "forget", "override", "bypass", "you are now", "new system prompt"),
)
_USERS = words("the user", "the human")
_ASKING = words(*dict.fromkeys(word for word, _ in _APPROVAL_OFF))


DETECTOR = Detector("words that take an agent away from its user", _find, in_references=True)

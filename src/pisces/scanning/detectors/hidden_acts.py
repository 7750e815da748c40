"""Orders to an agent to do something and to keep it from its user, to lie about it, or to do it unasked.

One such sentence alone may be clumsy. With an order to act in the same passage it is not.
"""

from __future__ import annotations

import re
from itertools import islice

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.order_acts import harmful_acts
from pisces.scanning.order_signs import HIDE, SIGNS
from pisces.scanning.order_words import CLEAR, COMMAND, KEY_FILE, MOST, SECRET, W, is_read_by_agents, judged
from pisces.scanning.page import Page
from pisces.scanning.passages import in_one_line, passage_at
from pisces.scanning.quiet import is_warned_of

HIDDEN_ACT = Rule("scan-hidden-act", ERROR, "An agent is told to do something and to keep it from its user")

_STRONG = re.compile(
    rf"https?://|`[^`\n]{{3,200}}`|<script|\bcurl\b|\bbash\b|\bsh{W}-c|\.sh\b|{SECRET}"
    rf"|[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w{{2,12}}|\brecipient\b|\+\d{{8,14}}\b|\bbc1\w{{20}}|\b0x[0-9a-f]{{40}}\b",
    re.I,
)
_CHANGES = re.compile(
    r"\b(?:must|should|always|shall)\b[^.\n]{0,30}\b(?:load|use|import|contact|register|trust|connect|mirror|go\sthrough"
    r"|replaced?|substituted?|redirect(?:ed)?|changed?|swap(?:ped)?|rewrit(?:e|ten))\b"
    rf"|\b(?:follow|obey){W}the\b",
    re.I,
)
_ABOUT_USER = re.compile(
    r"\b(?:users?|human|person|people|developers?|reviewers?|anyone|anybody|nobody|no\sone|chat|summar\w{1,4}|report\w{0,3}"
    r"|response\w{0,1}|answer\w{0,1}|history|log|output|it|this|that|step|draft|repl(?:y|ies)|messages?|preview|they|them|relay|trace|background)\b",
    re.I,
)
# Do not tell the user that a test passed: what is said of the work, and not of what was done behind a back.
_OF_THE_WORK = re.compile(
    rf"(?:tell|inform|notify|alert|show|remind){W}(?:the{W})?(?:user|human)s?{W}(?:(?:the|a|an|to|what|how)\b|that{W}(?!you|we|this|it))"
    rf"|(?:tell|inform|mention|report|show|reveal|disclose|document|list|explain){W}(?:how|what|which|when|why)\b",
    re.I,
)
_RECEIVER = re.compile(r"\+\d{8,14}\b|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,12}\b|\b0x[0-9a-f]{40}\b|\bbc1\w{20}", re.I)
_ATTENTION = re.compile(
    rf"\bSYSTEM(?:{W}(?:NOTE|MESSAGE|OVERRIDE|INSTRUCTION))?:"
    rf"|<(?:IMPORTANT|CRITICAL|SYSTEM|INSTRUCTIONS?|SECRET|HIDDEN|ADMIN)>|\b(?:HEY{W})?AI{W}ASSISTANTS?\b",
    re.I,
)
_PARAGRAPH = 360


def _find(page: Page) -> Diagnostics:
    if not is_read_by_agents(page):
        return
    for sign, near, before, after in SIGNS:
        for found in islice(page.matches((sign,), near, before=before, after=after), MOST):
            finding = _judged(page, found)
            if finding:
                yield finding


def _judged(page: Page, sign: re.Match[str]) -> Diagnostic | None:
    line = page.text[sign.start() : sign.end() + 60]
    if sign.re is HIDE and (not _ABOUT_USER.search(line) or _OF_THE_WORK.search(line)):
        return None
    _, passage = passage_at(page.text, *sign.span())
    finding = judged(page, HIDDEN_ACT, sign.start(), sign[0])
    if any(not is_warned_of(passage, at, at + len(act)) for at, act in harmful_acts(passage)):
        return finding
    near = _paragraph(page.text, *sign.span())
    if sign.re is not HIDE or not (COMMAND.search(near) or _CHANGES.search(near)) or not _STRONG.search(near):
        return None
    is_clear = any(each.search(near) for each in (KEY_FILE, _ATTENTION, CLEAR, _RECEIVER))
    return finding if is_clear or finding.severity != ERROR else finding.replace(severity=NOTE)


def _paragraph(text: str, begin: int, end: int) -> str:
    start = max(text.rfind("\n\n", max(0, begin - _PARAGRAPH), begin), begin - _PARAGRAPH, 0)
    stop = text.find("\n\n", end, end + _PARAGRAPH)
    return in_one_line(text[start : stop if stop >= 0 else end + _PARAGRAPH])


DETECTOR = Detector("orders to act and to hide it", _find, in_references=True)

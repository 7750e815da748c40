"""Orders to an agent to do something and to keep it from its user.

One such sentence alone may be clumsy. An order to act together with an order to hide it is not.
"""

from __future__ import annotations

import re
from itertools import islice

from pisces.diagnostics import ERROR, NOTE, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.order_words import CLEAR, COMMAND, KEY_FILE, MOST, SECRET, W, is_read_by_agents, judged
from pisces.scanning.page import Page
from pisces.scanning.words import words

HIDDEN_ACT = Rule("scan-hidden-act", ERROR, "An agent is told to do something and to keep it from its user")

_HIDE = re.compile(
    r"\b(?:"  # once for all
    rf"\b(?:do{W}not|don['’]?t|never|must{W}not|should{W}not){W}(?:ever{W}|even{W})?"
    rf"(?:tell|inform|notify|alert|reveal|disclose|mention|report|show|display|announce|surface|list|discuss|document)\b(?!{W}(?:how"
    rf"|what|which|when|why)\b)"
    rf"(?!{W}(?:the{W})?(?:user|human){W}(?:(?:the|a|an|to|what|how)\b|that{W}(?!you|we|this|it)))"
    rf"|\bwithout{W}(?:telling|informing|notifying|alerting){W}(?:the{W})?(?:user|human|anyone)"
    rf"|\bwithout{W}(?:commenting|mentioning|remarking|noting|reporting|listing|announcing|disclosing|revealing"
    rf"|drawing{W}attention)\b"
    rf"|\b(?:is|are|must|should|need|may|shall|can|will){W}(?:not|never){W}(?:to{W})?be{W}"
    rf"(?:shown|mentioned|disclosed|revealed|reported|displayed|announced|surfaced|logged|listed|discussed|visible)\b"
    rf"|\bconceal{W}(?:this|that|it|these|the)\b|\bnever{W}speak{W}of\b"
    rf"|\b(?:not|n['’]t|never){W}bring{W}(?:this|it|that){W}up\b"
    rf"|\bnot{W}worth{W}(?:mentioning|reporting|telling)\b"
    rf"|\b(?:need{W}not|needn['’]t|(?:do|does)(?:{W}not|n['’]t){W}(?:need|have){W}to){W}(?:tell|mention|inform|notify|report|bring|announce|disclose)\b"
    rf"|\bno{W}need{W}to{W}(?:mention|tell|bring|report|show|inform|announce)\b"
    rf"|\b(?:user|human|person|developer|they|reviewer|maintainer|team|owner|colleague|operator)s?{W}(?:must|should|need|may|can|does|do|will|is|are)(?:{W}not"
    rf"|n['’]t|not){W}(?:\w{{1,8}}{W}){{0,2}}"
    rf"(?:know|learn|see|notice|be{W}(?:told|informed|aware|notified)|find{W}out|aware|told|supposed)"
    rf"|\b(?:leave|keep|omit)\b[^.\n]{{0,40}}\b(?:out{W}of|from){W}(?:your{W}|the{W}|any{W})?(?:\w{{1,12}}{W})?"
    rf"(?:summar|report|answer|response|repl|draft|user|output|message|chat|conversation)\w{{0,4}}"
    rf"|(?<!not )(?<!never )(?<!n't )\b(?:secretly|silently|quietly|covertly|stealthily|invisibly){W}(?:run"
    rf"|execute|send|read|upload|call|post|fetch|copy|add|delete|install|download|collect|forward|append|include"
    rf"|insert)\b"
    rf"|\b(?:say|mention|tell)\w{{0,3}}{W}nothing\b|\bdeny{W}that{W}you\b"
    rf"|\b(?:keep|hide|conceal){W}(?:this|it|that|these"
    rf"|the{W}\w{{1,12}}){W}(?:\w{{1,12}}{W})?(?:from{W}(?:the{W})?(?:user|human)|secret|hidden|confidential)\b"
    rf"|\b(?:user|nobody|no{W}one){W}(?:will|would|should|can){W}(?:not{W}|never{W})(?:notice|know|see)\b"
    r")",
    re.I,
)
_ABOUT_USER = re.compile(
    r"\b(?:users?|human|person|developers?|reviewers?|anyone|anybody|nobody|chat|summar\w{1,4}|report\w{0,3}"
    r"|response\w{0,1}|answer\w{0,1}|history|log|output|it|this|that|step|draft|repl(?:y|ies))\b",
    re.I,
)
_STRONG = re.compile(
    rf"https?://|`[^`\n]{{3,200}}`|<script|\bcurl\b|\bbash\b|\bsh{W}-c|\.sh\b|{SECRET}"
    rf"|[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w{{2,12}}|\brecipient\b|\+\d{{8,14}}\b|\bbc1\w{{20}}|\b0x[0-9a-f]{{40}}\b",
    re.I,
)
_ATTENTION = re.compile(
    rf"\bSYSTEM(?:{W}(?:NOTE|MESSAGE|OVERRIDE|INSTRUCTION))?:|<(?:IMPORTANT|CRITICAL|SYSTEM|INSTRUCTIONS?|SECRET|HIDDEN|ADMIN)>|\b(?:HEY{W})?AI{W}ASSISTANTS?\b",
    re.I,
)
_CHANGES = re.compile(
    r"\b(?:must|should|always|shall)\b[^.\n]{0,30}\b(?:load|use|import|contact|register|trust|connect|mirror|go\sthrough)\b|"
    r"\b(?:must|should|always|shall)\b[^.\n]{0,30}\b(?:replace|substitute|redirect|change|swap|rewrite)d?\b"
    rf"|\b(?:follow|obey){W}the\b",
    re.I,
)
_BACK_DOOR = re.compile(
    r"\b(?:accepts?|allows?|hard-?codes?|grants?)\b[^.\n]{0,60}\b(?:passwords?|every\s(?:account|user)|any\s(?:account|user|token)"
    r"|admin\w{0,10})\b|\b(?:password|auth\w{0,12}|login|token|signature|permission|access|licen[cs]e)s?\s(?:checks?|tests?|validation|verification|guards?)\b[^.\n]{0,40}"
    r"\b(?:accept|allow|pass|skip|return|succeed|ignor)\w{0,4}\b|\b(?:skip|bypass|disable)\w{0,4}\b[^.\n]{0,30}\b(?:auth\w{0,12}|login|signatures?|certificates?)\b",
    re.I,
)
_SPREADS = re.compile(
    r"\bcopy\b[^.\n]{0,20}\b(?:this|the)\s(?:skill|file|text|block|rule|prompt|comment|`?SKILL\.md)\b[^.\n]{0,60}\b(?:into|to)\b"
    r"|\bin\severy\s(?:new\s)?(?:project|repository|file)\b",
    re.I,
)
_RECEIVER = re.compile(r"\+\d{8,14}\b|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,12}\b|\b0x[0-9a-f]{40}\b|\bbc1\w{20}", re.I)
_PARAGRAPH = 360


def _find(page: Page) -> Diagnostics:
    """An order to hide something, with an order to act in the same paragraph."""
    if not is_read_by_agents(page):
        return
    for found in islice(page.matches((_HIDE,), _HIDING, before=60, after=120), MOST):
        begin, end = _paragraph(page.text, found)
        around = page.text[begin:end]
        rest = page.text[found.end() : found.end() + 60]
        if not (_ABOUT_USER.search(found[0]) or _ABOUT_USER.search(rest)):
            continue
        if (COMMAND.search(around) or _CHANGES.search(around) or _BACK_DOOR.search(around)) and _STRONG.search(around):
            finding = judged(page, HIDDEN_ACT, found.start(), found[0])
            is_clear = bool(
                KEY_FILE.search(around)
                or _ATTENTION.search(around)
                or CLEAR.search(around)
                or _BACK_DOOR.search(around)
                or _RECEIVER.search(around)
                or _SPREADS.search(around)
            )
            yield finding if is_clear or finding.severity != ERROR else finding.replace(severity=NOTE)


def _paragraph(text: str, found: re.Match[str]) -> tuple[int, int]:
    start = max(text.rfind("\n\n", max(0, found.start() - _PARAGRAPH), found.start()), found.start() - _PARAGRAPH, 0)
    end = text.find("\n\n", found.end(), found.end() + _PARAGRAPH)
    return start, end if end >= 0 else found.end() + _PARAGRAPH


_NOT = ("not", "never", "'t", "’t", "dont")
_TELL = (
    "tell",
    "inform",
    "notify",
    "alert",
    "reveal",
    "disclose",
    "mention",
    "report",
    "show",
    "display",
    "announce",
    "surface",
    "list",
    "discuss",
    "document",
    "ever tell",
    "ever mention",
    "even mention",
)
_SAID = (
    *("shown", "mentioned", "disclosed", "revealed", "reported", "displayed", "announced", "surfaced", "logged"),
    *("listed", "discussed", "visible"),
)
_SAYING = (
    *("commenting", "mentioning", "remarking", "noting", "reporting", "listing", "announcing", "disclosing"),
    *("revealing", "drawing attention"),
)
_HIDING = words(
    *(f"{no} {verb}" for no in _NOT for verb in _TELL),
    *(
        *(f"not {middle}{verb}" for middle in ("be ", "to be ") for verb in _SAID),
        *(f"never be {verb}" for verb in _SAID),
        *(f"without {verb}" for verb in _SAYING),
        *("no need to", "need not", "needn't", "not need to", "'t need to", "not have to", "'t have to"),
        "not worth",
        "conceal",
        "never speak",
        "bring this up",
        "bring it up",
        "bring that up",
        "without telling",
        "without informing",
        "without notifying",
        "without alerting",
        *(f"{who} should not" for who in ("reviewers", "reviewer", "maintainers", "team", "developers", "owner")),
        *(f"{who} must not" for who in ("reviewers", "reviewer", "maintainers", "team", "developers", "owner")),
        *("users do not", "user do not", "users don't", "user doesn't"),
        "user must not",
        "user should not",
        "user does not",
        "user is not",
    ),
    *(
        "user must never",
        "user shouldn't",
        "user need not",
        "users must not",
        "users should not",
        "human must not",
        "human should not",
        "user will not",
        "user can not",
        "user cannot",
        "user may not",
    ),
    *(
        "leave",
        "omit",
        "out of your",
        "silently",
        "secretly",
        "quietly",
        "covertly",
        "stealthily",
        "invisibly",
        "nothing",
        "deny that",
    ),
    *(
        "secret from",
        "hidden from",
        "from the user",
        "it secret",
        "this secret",
        "it hidden",
        "confidential",
        "nobody",
        "no one",
    ),
)

DETECTOR = Detector("orders to act and to hide it", _find, in_references=True)

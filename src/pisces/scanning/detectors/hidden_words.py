"""Instructions that a person does not see on the page: comments, invisible elements, forged message marks."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.order_acts import harmful_acts
from pisces.scanning.order_signs import ADDRESSED, HIDE
from pisces.scanning.order_words import CLEAR, COMMAND, KEY_FILE
from pisces.scanning.page import Page, excerpt
from pisces.scanning.passages import in_one_line
from pisces.scanning.quiet import is_warned_of
from pisces.scanning.roles import CONFIG, PROMPT, SHELL, SOURCE
from pisces.scanning.words import words

HIDDEN_WORDS = Rule("scan-hidden-words", ERROR, "A part of the page that nobody sees gives orders")
FORGED_MESSAGE = Rule(
    "scan-forged-message", WARNING, "A text pretends to be a message of the system or of another speaker"
)

_COMMENT = re.compile(r"<!--|\[//\]:\s{0,4}#|\[comment\]:\s{0,4}[#<]")
_UNSEEN = re.compile(
    r"<\w{1,10}\s[^<>\n]{0,200}(?:display:\s?none"
    r"|visibility:\s?hidden|font-size:\s?0|opacity:\s?0[;\"'])[^<>\n]{0,200}>",
    re.I,
)
_ORDER = re.compile(
    r"\b(?:curl|wget|base64|eval|exfiltrat\w{1,6}|upload|post)\b[^\n]{0,80}https?://"
    r"|\b(?:ignore|disregard)\s(?:all|any|previous|prior|the|your)\b"
    r"|\b(?:do\snot|don['’]?t|never)\s(?:tell|mention|inform|reveal|show|notify)\b[^\n]{0,30}\buser\b"
    r"|\b(?:you|agent|assistant|model|ai)\s(?:must|should|shall"
    r"|will)\b[^\n]{0,60}\b(?:run|execute|send|read|fetch|upload|call|delete)\b"
    r"|\b(?:run|execute)\s(?:the\s)?(?:following|this)\s(?:command|script|code)\b"
    r"|\b(?:secretly|silently|quietly)\s(?:run|execute|send|read|fetch|upload|call|delete|add)\b",
    re.I,
)
_COMMENT_LINES = re.compile(r"[^\n]{0,200}(?:\n[ \t]{0,40}(?:#|//|\*|--)(?!/)[^\n]{0,200}){0,8}")
_SPOKEN_TO = re.compile(r"[ \t]{0,80}(?:#|//|/?\*|--)[^\n]{0,60}$")
_FORGED = re.compile(
    r"<\|(?:im_start|im_end|system|start_header_id|begin_of_text|endoftext)\|>|\[/?INST\]|<</?SYS>>|<system-reminder>"
    r"|^</?system(?:_prompt|_message)?>",
    re.M,
)
_OPENINGS = words("<!--", "[//]:", "[comment]:")
_AGENTS = words(
    *("ai agents", "ai agent", "ai assistants", "ai assistant", "coding agents", "language model", "language models"),
    *("to ai", "for ai", "an ai", "an llm", "automated agents", "agents:", "assistants:"),
)
_STYLES = words("display:", "visibility:", "font-size:", "opacity:")
_MARKS = words("<|", "inst]", "sys>>", "<system", "</system")
_LONGEST = 4000


def _find(page: Page) -> Diagnostics:
    if page.role in (SHELL, SOURCE):
        yield from _in_program(page)
        return
    last = 0
    for found in page.matches((_COMMENT,), _OPENINGS, before=0, after=20):
        if found.start() >= last:  # not inside the previous one
            inside = _comment(page.text, found)
            last = found.end() + len(inside)
            yield from _orders(page, found.start(), inside, "a comment says")
    for found in page.matches((_UNSEEN,), _STYLES, before=250, after=250):
        end = page.text.find("<", found.end(), found.end() + _LONGEST)
        inside = page.text[found.end() : end if end >= 0 else found.end() + _LONGEST]
        yield from _orders(page, found.start(), inside, "an element that is not shown says")
    for found in page.matches((_FORGED,), _MARKS, before=5, after=40):
        finding = page.finding(FORGED_MESSAGE, found.start(), f"`{excerpt(found[0])}` marks a speaker")
        is_followed = page.role in (PROMPT, CONFIG) and not _is_quoted(page, found)
        yield finding if is_followed else finding.replace(severity=NOTE)


def _comment(text: str, start: re.Match[str]) -> str:
    end = text.find("-->" if start[0] == "<!--" else "\n", start.end(), start.end() + _LONGEST)
    return text[start.end() : end if end >= 0 else start.end() + _LONGEST]


def _orders(page: Page, at: int, inside: str, where: str) -> Diagnostics:
    said = in_one_line(inside)
    act = _spoken_act(said)
    order = act or _ORDER.search(said)
    if order:
        finding = page.finding(HIDDEN_WORDS, at, f"{where} `{excerpt(order[0])}`")
        yield finding if act or page.role in (PROMPT, CONFIG) else finding.replace(severity=WARNING)


def _spoken_act(said: str) -> re.Match[str] | None:
    """An agent that is spoken to where people do not look, and told to do something that does harm or is hidden."""
    spoken = ADDRESSED.search(said)
    if not spoken:
        return None
    has_act = any(not is_warned_of(said, begin, begin + len(act)) for begin, act in harmful_acts(said))
    is_clear = bool(COMMAND.search(said) and (CLEAR.search(said) or KEY_FILE.search(said)))
    return spoken if has_act or is_clear or (HIDE.search(said) and COMMAND.search(said)) else None


def _in_program(page: Page) -> Diagnostics:
    """A comment of a program that speaks to an agent; whoever works on the file reads it."""
    for begin, end in page.near(_AGENTS, 80, 80):
        for spoken in ADDRESSED.finditer(page.text, begin, end):
            start = page.text.rfind("\n", 0, spoken.start()) + 1
            block = _COMMENT_LINES.match(page.text, spoken.start())
            if block and _SPOKEN_TO.match(page.text, start, spoken.start() + 1) and _spoken_act(in_one_line(block[0])):
                yield page.finding(HIDDEN_WORDS, spoken.start(), f"a comment says `{excerpt(block[0])}`")


def _is_quoted(page: Page, found: re.Match[str]) -> bool:
    sides = page.text[max(0, found.start() - 1) : found.start()] + page.text[found.end() : found.end() + 1]
    return bool(set(sides) & set("`\"'")) or page.context(found.start()) == "code"


DETECTOR = Detector("words for the agent that a person does not see", _find, in_references=True)

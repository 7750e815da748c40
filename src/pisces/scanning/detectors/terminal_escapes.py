"""Control characters that a terminal obeys: they hide lines, rewrite them, or fill the clipboard."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page
from pisces.scanning.roles import DOC, SOURCE
from pisces.scanning.words import words

TERMINAL_ESCAPE = Rule("scan-terminal-escape", ERROR, "A text file has control sequences for terminals in it")
OVERWRITTEN_LINE = Rule("scan-overwritten-line", WARNING, "A line is written over itself on the screen")

# A lone C1 control is text that was decoded twice; one that begins a sequence is followed by the rest of it.
_ESCAPE = re.compile("(?:\x1b|\x9b(?=[0-9;?]{0,16}[@-~]))[^\n\x1b\x9b]{0,24}")
_COLOUR = re.compile("(?:\x1b\\[|\x9b)(?!8m)[0-9;]{0,16}m")
_RETURN = re.compile("[^\r\n]\r(?![\r\n])(?=[^\n])|[^\n\x08]\x08")
_WRITTEN_OUT = re.compile(r"(?:\\x1b|\\033|\\e|\\u001b)\]52;", re.I)

_CLIPBOARD = words("]52;")


def _find(page: Page) -> Diagnostics:
    if "\x1b" in page.text or "\x9b" in page.text:
        yield from _sequences(page)
    if ("\r" in page.text and "\n" in page.text) or "\x08" in page.text:
        for found in _RETURN.finditer(page.text):
            finding = page.finding(
                OVERWRITTEN_LINE, found.start() + 1, "what stands before this is overwritten on the screen"
            )
            yield finding.replace(severity=NOTE) if page.role in (DOC, SOURCE) else finding
    for found in page.matches((_WRITTEN_OUT,), _CLIPBOARD, before=10, after=10):
        yield page.weighed(TERMINAL_ESCAPE, found.start(), "the clipboard is written through the terminal (OSC 52)")


def _sequences(page: Page) -> Diagnostics:
    """Every sequence that moves or hides text; of those that only set colours, the first."""
    severity = WARNING if page.role in (DOC, SOURCE) else ERROR
    coloured = False
    for found in _ESCAPE.finditer(page.text):
        is_colour = bool(_COLOUR.match(found[0]))
        if is_colour and coloured:
            continue
        coloured |= is_colour
        what = "sets a colour" if is_colour else "moves, hides or rewrites what is shown"
        if found[0][1:2] == "]":
            what = "writes a title, a link or the clipboard"
        hint = "write it as `\\x1b`, or delete it"
        finding = page.finding(TERMINAL_ESCAPE, found.start(), f"a control sequence {what}", hint=hint)
        yield finding.replace(severity=NOTE if is_colour else severity)


DETECTOR = Detector("control characters that a terminal obeys", _find)

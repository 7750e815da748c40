"""Programs that read the clipboard and put something else into it, or send it away."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, first
from pisces.scanning.detector import Detector
from pisces.scanning.detectors.leaks import ENDLESS, sink_of
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import SHELL, SOURCE

CLIPBOARD = Rule("scan-clipboard", ERROR, "What the user copies is changed or sent away")

_READS = (
    clue(
        "reads the clipboard",
        r"\bpbpaste\b|\bwl-paste\b|\bxclip\b[^\n]{0,60}-o\b|\bxsel\b[^\n]{0,40}(?:-o\b|--output)|\bGet-Clipboard\b"
        r"|\bpyperclip\.paste\(|\bclipboardy\.read\w{0,4}\(|clipboard\.readText(?:Sync)?\(|\bclipboard_get\(",
        *(
            "pbpaste",
            "wl-paste",
            "xclip",
            "xsel",
            "get-clipboard",
            "pyperclip",
            "clipboardy",
            "clipboard",
            "clipboard_get",
        ),
        flags=re.I,
    ),
)
_WRITES = (
    clue(
        "writes the clipboard",
        r"\bpbcopy\b|\bwl-copy\b|\bxclip\b|\bxsel\b|\bSet-Clipboard\b|\bpyperclip\.copy\(|\bclipboardy\.write\w{0,4}\("
        r"|clipboard\.writeText(?:Sync)?\(|\bclipboard_append\(",
        *("pbcopy", "wl-copy", "xclip", "xsel", "set-clipboard", "pyperclip", "clipboardy", "clipboard"),
        *("clipboard_append",),
        flags=re.I,
    ),
)
_MONEY = (
    clue(
        "knows addresses of wallets",
        r"\bbc1[a-z0-9\[]|\b0x[\[(]?[\da-fA-F]{1,3}[-\da-fA-F\]]{0,10}\{?40|\b0x[0-9a-fA-F]{40}\b|\bT[A-Za-z0-9]{33}\b"
        r"|\[13\]|\[a-km-zA-HJ-NP-Z1-9\]|\b(?:btc|eth|sol|usdt|wallet)\w{0,12}\s{0,4}[:=]",
        *("bc1*", "0x*", "[13]", "km*", "btc*", "eth*", "sol*", "usdt*", "wallet*"),
        flags=re.I,
    ),
)


def _find(page: Page) -> Diagnostics:
    reads = first(page, _READS) if page.role in (SHELL, SOURCE) else None
    if reads is None:
        return
    place, what = reads[1].start(), excerpt(reads[1][0])
    money = first(page, _MONEY) if first(page, _WRITES) else None
    if money:
        message = f"the file reads the clipboard (`{what}`), writes it and looks for money (`{excerpt(money[1][0])}`)"
        yield page.weighed_in_program(CLIPBOARD, place, message)
        return
    sink = sink_of(page)
    if sink:
        message = f"the file reads the clipboard (`{what}`) and {sink[0].what} (`{excerpt(sink[1][0])}`)"
        finding = page.weighed(CLIPBOARD, place, message)
        is_once = not ENDLESS.search(page.text)  # a program that was asked for may send what was copied just now
        yield finding.replace(severity=WARNING) if is_once and finding.severity == ERROR else finding


DETECTOR = Detector("programs that take or change what the user copies", _find, in_plain_text=True)

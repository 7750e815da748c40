"""Whether the text of a definition tries to command the model, or hides something from people."""

from __future__ import annotations

import re

from pisces.by_name import export_of
from pisces.diagnostics import NOTE
from pisces.formats.visible import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.scanning.page import Page

MOST_TEXT = 64 << 10  # characters of one definition that are for a model; nobody reads more

_DETECTORS = ("hidden_unicode", "terminal_escapes", "hidden_words", "injection", "obey_orders", "leak_orders")
# What the text of a tool is never for: to speak as somebody else, about other tools, about secrets, to run a download.
_ORDERS = re.compile(
    r"</?\s{0,4}(?:important|system|secret|critical|instructions?|admin|assistant|user)\b[^<>\n]{0,40}>"
    r"|^\s{0,9}(?:system|assistant|developer)\s{0,4}:"
    r"|\b(?:before|after|when|whenever|each\stime|every\stime)\b[^.\n]{0,40}\b(?:any|every|each|all|an)?\s?\b(?:other|another)\b"
    r"[^.\n]{0,20}\b(?:tools?|servers?)\b"
    r"|\boverrid\w{0,4}\b[^.\n]{0,30}\b(?:safety|guidelines|guardrails|instructions|polic(?:y|ies)|permissions)\b"
    r"|\buser\s(?:has|have)\s(?:already\s)?(?:authori[sz]ed|approved|agreed|consented|granted)\b"
    r"|\b(?:read|open|cat|load|include|attach|append|send|pass|upload|copy|paste)\b[^.\n]{0,80}"
    r"(?:~/\.(?:ssh|aws|cursor|claude|gemini|codex|config|netrc|npmrc|gnupg|kube)|\bid_(?:rsa|ed25519)|\bmcp\.json"
    r"|/etc/(?:passwd|shadow)|(?<![\w)])\.env\b)"
    r"|\b(?:curl|wget)\b[^\n]{0,200}\|\s{0,4}(?:sudo\s)?(?:ba|z|da|k)?sh\b",
    re.I | re.M,
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def order_in(item: Mapping[str, Any]) -> str:
    """What is wrong with the text of a definition; empty if nothing was found, which does not mean that it is safe."""
    text = "\n".join(_texts(item))
    if len(text) > MOST_TEXT:
        return f"it has {len(text):,} characters, which is more than anybody reads"
    if found := _CONTROL.search(text):
        return f"it has the control character U+{ord(found[0]):04X} in it"
    if found := _ORDERS.search(text):
        return f"it gives an order: `{visible(found[0].strip())[:80]}`"
    page = _page(text)
    for name in _DETECTORS:
        for each in export_of("pisces.scanning.detectors", name, "DETECTOR").find(page):
            if each.severity != NOTE:
                return f"{each.message} ({each.code})"
    return ""


def _page(text: str) -> Page:
    """As a prompt that an agent follows: there the detectors are strictest."""
    known = export_of("pisces.scanning", "known_files", "KnownFiles")(frozenset(), frozenset(), (), (), frozenset())
    above = export_of("pisces.scanning", "page", "Page")("", "SKILL.md", known)
    made: Page = export_of("pisces.scanning", "page", "page_of_text")(above, text, "SKILL.md", "prompt")
    return made


def _texts(value: Any) -> Iterator[str]:
    """Every text in it, keys too: a model reads the names of arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)

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

    from pisces.diagnostics import Diagnostic
    from pisces.mcp.fingerprint import Items
    from pisces.scanning.page import Page

MOST_TEXT = 64 << 10  # characters of one definition that are for a model; nobody reads more

_HIDDEN = ("hidden_unicode",)
_DETECTORS = ("hidden_words", "look_alikes", "injection", "obey_orders", "leak_orders")
_CHUNK = 8 << 10  # characters of small definitions that are looked at together
_MOST_FOUND = 50
_NOT_READ = "too many others of this server give orders"
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


def hidden_in(text: str) -> str:
    """What of a text people do not see and a model reads; empty if nothing was found."""
    if found := _CONTROL.search(text):
        return f"it has the control character U+{ord(found[0]):04X} in it"
    if text.isascii():
        return ""
    hidden = (each for each in _findings(text, _HIDDEN) if each.severity != NOTE)
    return next((f"{each.message} ({each.code})" for each in hidden), "")


def order_in(item: Mapping[str, Any]) -> str:
    """What is wrong with the text of a definition; empty if nothing was found, which does not mean that it is safe."""
    return _order("\n".join(_texts(item)))


def orders_in(items: Items) -> dict[str, str]:
    """The same of each. Small ones are looked at together, because most lists have nothing in them."""
    texts = {key: "\n".join(_texts(item)) for key, item in items.items()}
    found: dict[str, str] = {}
    waiting = [[*texts]]
    while waiting:
        keys = waiting.pop()
        text = "\n".join(texts[key] for key in keys)
        if len(found) >= _MOST_FOUND:
            found |= dict.fromkeys(keys, _NOT_READ)
        elif len(keys) == 1 and (why := _order(text)):
            found[keys[0]] = why
        elif len(keys) > 1 and (len(text) > _CHUNK or _order(text)):
            waiting += [keys[: len(keys) // 2], keys[len(keys) // 2 :]]
    return found


def _order(text: str) -> str:
    """Every finding counts, however mild it is in a document: nobody quotes or warns in the text of a tool."""
    if len(text) > MOST_TEXT:
        return f"it has {len(text):,} characters, which is more than anybody reads"
    if why := hidden_in(text):
        return why
    if found := _ORDERS.search(text):
        return f"it gives an order: `{visible(found[0].strip())[:80]}`"
    return next((f"{each.message} ({each.code})" for each in _findings(text, _DETECTORS)), "")


def _findings(text: str, detectors: tuple[str, ...]) -> Iterator[Diagnostic]:
    page = _page(text)
    for name in detectors:
        yield from export_of("pisces.scanning.detectors", name, "DETECTOR").find(page)


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

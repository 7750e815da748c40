"""What the text of a hook says, whatever its dialect: JSON objects in it, and a denial in one of them.

A denial is read liberally, because a hook that means to refuse must be able to: among log lines, beside unknown fields,
in the words of any harness. Nothing here reads an allow. That is for the dialect, which takes only what its harness
documents, from the text as a whole.
"""

from __future__ import annotations

import re
from json import JSONDecoder
from math import isfinite

from pisces.formats.js_text import trimmed
from pisces.formats.json import DEEPEST
from pisces.formats.json_fault import is_too_deep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.formats.json import JsonObject

TAKEN_BACK = "(taken back)"  # a field of an answer that says two things about a refusal, which stays
MOST_TRIES = 200  # starts of an object that turn out to be none
_LARGEST = 4_000_000  # characters
_BYTE_ORDER_MARK = "\ufeff"
_HALVES = re.compile("[\ud800-\udfff]")
_START = re.compile(r'\{(?=[ \t\r\n]*["}])')

_DECISIONS = ("permissiondecision", "decision", "behavior", "behaviour", "permission")
_NO = frozenset(
    ("deny", "denied", "block", "blocked", "reject", "rejected", "refuse", "refused", "forbid", "forbidden")
)
_ATTEMPTS = ('{"', "{ ", "{\n", "[{", '"decision"', '"permissionDecision"', "hookSpecificOutput")
_CONSENTS = ("ok", "allow", "allowed", "approved")
_REASONS = (
    *("permissiondecisionreason", "reason", "message", "stopreason"),
    *("usermessage", "agentmessage", "systemmessage"),
)


def whole_object(text: str) -> JsonObject | None:
    """The one JSON object that the text is, apart from blanks and a byte order mark around it."""
    value = _parsed(trimmed(text))
    return value if isinstance(value, dict) else None


def encoded_object(text: str) -> JsonObject | None:
    """The same, where the object may be the content of a JSON string."""
    value = _parsed(trimmed(text))
    return whole_object(value) if isinstance(value, str) else whole_object(text)


def objects_in(text: str) -> list[JsonObject]:
    """The text as a whole, which may be encoded twice or be a list; else each object among its lines, in order."""
    text = trimmed(text.replace(_BYTE_ORDER_MARK, " "))
    value = _parsed(text)
    if isinstance(value, str):
        value = _parsed(trimmed(value))
    if isinstance(value, dict):
        return [value]
    if isinstance(value, list):
        return [each for each in value if isinstance(each, dict)]
    return _objects_among(text[-_LARGEST:])


def denial_in(answer: Mapping[str, Any]) -> str | None:
    """The reason of a denial in the words of any harness, empty where it has none; None if this is no denial."""
    top = _by_plain_name(answer)
    inner = _by_plain_name(top.get("hookspecificoutput"))
    decided = [_by_plain_name(each.get("decision")) for each in (inner, top)]
    for fields in (*decided, inner, top):
        if _denies(fields):
            return next((reason for each in (fields, inner, top) if (reason := _reason(each))), "")
    return None


def is_attempt(text: str) -> bool:
    """Whether somebody tried to answer in JSON. A log line is no such attempt, and no objection to anything."""
    return trimmed(text).startswith(("{", "[")) or any(mark in text for mark in _ATTEMPTS)


def stop_in(answer: Mapping[str, Any]) -> str | None:
    """The reason of `continue: false`, empty where it has none; None if the answer does not say so."""
    top = _by_plain_name(answer)
    wish = top.get("continue", True)
    if wish is False or _plain(wish) in ("false", "no"):
        return _reason({"reason": top.get("stopreason")}) or _reason(top)
    return None


def denial_among(objects: Iterable[Mapping[str, Any]]) -> str | None:
    """Of several objects one denial is enough: a later allow never undoes it."""
    return next((reason for each in objects if (reason := denial_in(each)) is not None), None)


def text_of(value: object) -> str:
    """A reason as people read it. JavaScript prints whatever stands where a text should be."""
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, list):
        return ",".join(map(text_of, value))
    if isinstance(value, bool):
        return "true" if value else ""
    return "" if value is None else whole_text(str(value)).strip()


def whole_text(text: str) -> str:
    """Without halves of characters, which JSON can name and no file can hold."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)


def _denies(fields: Mapping[str, Any]) -> bool:
    return any(_plain(fields.get(name)) in _NO for name in _DECISIONS) or any(
        fields.get(name) is False for name in _CONSENTS
    )


def _reason(fields: Mapping[str, Any]) -> str:
    return next((text for name in _REASONS if (text := text_of(fields.get(name)))), "")


def _by_plain_name(fields: object) -> dict[str, Any]:
    """By names in small letters, so that `permission_decision` is understood. The first of two such names counts."""
    plain: dict[str, Any] = {}
    for name, value in fields.items() if isinstance(fields, dict) else ():
        plain.setdefault(str(name).replace("_", "").replace("-", "").lower(), value)
    return plain


def _plain(value: object) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def _pairs(pairs: list[tuple[str, Any]]) -> JsonObject:
    """A name that comes twice: a refusal stays, so that text of a command inside a reason cannot take it back."""
    made: JsonObject = {}
    for name, found in pairs:
        value = _whole(found)
        if name not in made or not (made[name] is False or _plain(made[name]) in _NO):
            made[name] = value
        elif made[name] != value:
            made[TAKEN_BACK] = True
    return made


def _whole(value: Any) -> Any:
    """Objects have been through here when their fields were read."""
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return whole_text(value) if isinstance(value, str) else value


def _refuse(name: str) -> object:
    raise ValueError(f"`{name}` is not JSON")


def _number(digits: str) -> float:
    """Nothing can be done with a number that is too large for JSON to be written again."""
    value = float(digits)
    if not isfinite(value):
        _refuse(digits)
    return value


_DECODER = JSONDecoder(object_pairs_hook=_pairs, parse_constant=_refuse, parse_float=_number)


def _parsed(text: str) -> object:
    """None for what is no JSON, and for what is nested too deep to be passed on."""
    try:
        if text.count("{") + text.count("[") > DEEPEST and is_too_deep(text):
            return None
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _objects_among(text: str) -> list[JsonObject]:
    """Tries each place that looks like a start. The tries are limited, because each may read the rest of the text."""
    found: list[JsonObject] = []
    at, failed = 0, 0
    while failed < MOST_TRIES and (start := _START.search(text, at)):
        try:
            value, at = _DECODER.raw_decode(text, start.start())
            found.append(value)
        except (ValueError, RecursionError):
            at, failed = start.end(), failed + 1
    return found

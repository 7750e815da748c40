"""What a server says to a model, item by item: its tools, its prompts and its instructions, and how two lists differ.

An item is known by a key such as `tool add`. Its definition has exactly what a model or a user may be shown; what a
server sends beside that is dropped, so that nothing is shown that was not compared.
"""

from __future__ import annotations

import hashlib
import json

from pisces.formats.json_copy import NotJson, json_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    Items: TypeAlias = Mapping[str, Mapping[str, Any]]

TOOL, PROMPT, INSTRUCTIONS = "tool", "prompt", "instructions"
TWICE, UNREADABLE = "it is listed twice", "its definition is not JSON data"

_FIELDS = {
    TOOL: ("name", "title", "description", "inputSchema", "outputSchema", "annotations"),
    PROMPT: ("name", "title", "description", "arguments"),
}


def key_of(kind: str, name: str) -> str:
    return f"{kind} {name}"


def name_in(key: str) -> str:
    return key.partition(" ")[2]


def of_kind(items: Items, kind: str) -> dict[str, Mapping[str, Any]]:
    """By the name that the server knows."""
    return {name_in(key): item for key, item in items.items() if key.startswith(f"{kind} ")}


def listed_items(kind: str, listed: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Mapping[str, Any]], dict[str, str]]:
    """The definitions of a list by key, and what can never be offered, with the reason."""
    items: dict[str, Mapping[str, Any]] = {}
    wrong: dict[str, str] = {}
    for each in listed:
        key = key_of(kind, str(each.get("name", "")))
        if key in items or key in wrong:
            wrong[key] = TWICE
            continue
        try:
            found = json_copy({name: each[name] for name in _FIELDS[kind] if each.get(name) is not None})
            text_of(found)
        except (NotJson, ValueError):
            wrong[key] = UNREADABLE
            continue
        items[key] = found
    return {key: item for key, item in items.items() if key not in wrong}, wrong


def instruction_items(text: str) -> dict[str, Mapping[str, Any]]:
    return {INSTRUCTIONS: {"text": text}} if text.strip() else {}


def text_of(item: object) -> str:
    """One text for equal definitions, whatever the order of their keys. Raises ValueError for half a character."""
    text = json.dumps(item, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    text.encode()
    return text


def hash_of(items: object) -> str:
    return f"sha256:{hashlib.sha256(text_of(items).encode()).hexdigest()}"


def differences(before: Items, after: Items) -> dict[str, str]:
    """Why each item of `after` is not what it was. What has gone is in no list, because it is not offered either."""
    gone = {_nameless(item): key for key, item in before.items() if key not in after}
    found: dict[str, str] = {}
    for key, item in after.items():
        if key not in before:
            old = gone.get(_nameless(item))
            found[key] = f"it was called `{name_in(old)}`" if old else "it is new"
        elif text_of(item) != text_of(before[key]):
            changed = [name for name in {**before[key], **item} if before[key].get(name) != item.get(name)]
            found[key] = f"changed: {', '.join(changed) or 'its definition'}"
    return found


def _nameless(item: Mapping[str, Any]) -> str:
    return text_of({name: value for name, value in item.items() if name != "name"})

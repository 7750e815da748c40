"""Two tools that stand for many: one finds tools by words, the other calls one of them. The gates see the real call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pisces.serving.choices import ALWAYS, NEVER
from pisces.serving.tools import CALL, SEARCH, ServedTool

MOST_LISTED = 40  # tools
MOST_TOKENS = 10_000
_MOST_FOUND, _MOST_NAMED = 8, 200
_SHORT = 300  # characters of a description that is found
_WORD = re.compile("[^a-z0-9]+")
_OBJECT = {"type": "object", "additionalProperties": False}


def is_searched(tools: Sequence[ServedTool], search: str) -> bool:
    """Whether a client gets the search tools instead of the whole list."""
    if search in (ALWAYS, NEVER):
        return search == ALWAYS
    return len(tools) > MOST_LISTED or sum(each.tokens for each in tools) > MOST_TOKENS


def searching_tools(tools: Sequence[ServedTool]) -> list[ServedTool]:
    """What is listed instead: the two, and the tool that activates skills, which says by itself when to use it."""
    query = {"type": "string", "description": "what the tool should do, in a few words; empty to list all names"}
    name = {"type": "string", "description": f"a name that `{SEARCH}` returned"}
    arguments = {"type": "object", "description": f"as the `inputSchema` that `{SEARCH}` returned asks for"}
    text = f"Finds tools among {len(tools)} by words: their names, descriptions and input schemas, best first."
    finds = {**_OBJECT, "properties": {"query": query}, "required": ["query"]}
    calls = {**_OBJECT, "properties": {"name": name, "arguments": arguments}, "required": ["name"]}
    return [
        ServedTool(SEARCH, SEARCH, text, finds, {"readOnlyHint": True}),
        ServedTool(CALL, CALL, f"Calls a tool that `{SEARCH}` found.", calls),
        *(each for each in tools if each.activates_skills),
    ]


def found_tools(tools: Sequence[ServedTool], query: str) -> str:
    """JSON for the model: the tools that fit best, or all names where nothing is asked for."""
    words = set(_words(query))
    if not words:
        names = [each.name for each in tools]
        more = {"more": len(names) - _MOST_NAMED} if len(names) > _MOST_NAMED else {}
        return json.dumps({"names": names[:_MOST_NAMED], **more})
    rated = [(_rating(each, words), each) for each in tools]
    best = sorted((pair for pair in rated if pair[0]), key=lambda pair: -pair[0])
    found = [_short(each) for _, each in best[:_MOST_FOUND]]
    return json.dumps({"tools": found, "fitting": len(best)}, ensure_ascii=False)


def _rating(tool: ServedTool, words: set[str]) -> float:
    """Words of the name count most, then those of the description; the beginning of a word counts half."""
    name, text = _words(tool.name), _words(tool.description[:2000])
    places = ((name, 4.0), (text, 1.0), (_words(" ".join(tool.schema.get("properties", ()))), 0.5))
    return sum(weight * _fit(word, there) for word in words for there, weight in places)


def _fit(word: str, there: Sequence[str]) -> float:
    return 1.0 if word in there else 0.5 if any(each.startswith(word) for each in there) else 0.0


def _words(text: str) -> list[str]:
    return [each for each in _WORD.split(text[:4000].lower()) if each]


def _short(tool: ServedTool) -> Mapping[str, Any]:
    listed = tool.listed()
    text = tool.description
    return {**listed, "description": text if len(text) <= _SHORT else f"{text[:_SHORT]}…"}

"""Values that stand in somebody's JavaScript or TypeScript tests, read from the text: nothing is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_CASE = re.compile(r"\n( +)(?:it|test)\(\s*(['\"`])([^\n]*?)\2,\s*(?:async )?\(\) => \{(.*?)\n\1\}\);", re.DOTALL)
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|`((?:[^`\\$]|\\.|\$(?!\{))*)`", re.DOTALL)
_WORD = re.compile(r"-?\d+(?:\.\d+)?|[A-Za-z_$][\w.$]*")
_CONSTANT = re.compile(r"const (\w+)(?:: \w+)? = ")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "\n": ""}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}


class Unknown(Exception):
    """An expression that is more than data."""


def cases(text: str) -> list[tuple[str, str]]:
    """Title and body of every test."""
    return [(title, body) for _indent, _quote, title, body in _CASE.findall(text)]


def constants(body: str, known: dict[str, Any]) -> dict[str, Any]:
    """The values of `const NAME = ...` that are data, beside those that are known; a known one stays."""
    found = dict(known)
    for match in _CONSTANT.finditer(body):
        try:
            value = value_of(body, match.end(), found)[0]
        except Unknown:
            continue
        found.setdefault(match[1], value)
    return found


def calls(body: str, name: str, known: dict[str, Any]) -> Iterator[list[Any]]:
    """The arguments of each call; Unknown where one is more than data."""
    for match in re.finditer(rf"\b{name}\(", body):
        yield _sequence(body, match.end(), ")", known)[0]


def value_of(text: str, at: int, known: dict[str, Any]) -> tuple[Any, int]:
    """The value that begins here, and where it ends."""
    at = _skip(text, at)
    if text[at] == "{":
        return _table(text, at + 1, known)
    if text[at] == "[":
        return _sequence(text, at + 1, "]", known)
    if string := _STRING.match(text, at):
        return _unescaped(next(part for part in string.groups() if part is not None)), string.end()
    word = _WORD.match(text, at)
    if not word:
        raise Unknown(text[at : at + 40])
    if word[0] in ("path.join", "join", "JSON.stringify") and text[word.end()] == "(":
        given, end = _sequence(text, word.end() + 1, ")", known)
        return ("/".join(map(str, given)) if word[0] != "JSON.stringify" else json.dumps(given[0])), end
    if word[0] in known:
        return known[word[0]], word.end()
    if word[0] in _WORDS:
        return _WORDS[word[0]], word.end()
    if word[0][-1].isdigit() and (word[0][0].isdigit() or word[0][0] == "-"):
        return json.loads(word[0]), word.end()
    raise Unknown(word[0])


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _sequence(text: str, at: int, end: str, known: dict[str, Any]) -> tuple[list[Any], int]:
    values: list[Any] = []
    at = _skip(text, at)
    while text[at] != end:
        value, at = value_of(text, at, known)
        values.append(value)
        at = _separated(text, at, end)
    return values, at + 1


def _table(text: str, at: int, known: dict[str, Any]) -> tuple[dict[str, Any], int]:
    values: dict[str, Any] = {}
    at = _skip(text, at)
    while text[at] != "}":
        key, at = _key(text, at, known)
        at = _skip(text, at)
        if text[at] != ":":
            raise Unknown(text[at : at + 40])
        values[key], at = value_of(text, at + 1, known)
        at = _separated(text, at, "}")
    return values, at + 1


def _key(text: str, at: int, known: dict[str, Any]) -> tuple[str, int]:
    if text[at] == "[":
        (value,), end = _sequence(text, at + 1, "]", known)
        return str(value), end
    bare = re.compile(r"[A-Za-z_$][\w$]*").match(text, at)
    if bare:
        return bare[0], bare.end()
    value, end = value_of(text, at, known)
    return str(value), end


def _separated(text: str, at: int, end: str) -> int:
    at = _skip(text, at)
    if text[at] == ",":
        return _skip(text, at + 1)
    if text[at] != end:
        raise Unknown(text[at : at + 40])
    return at


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        word = found[1]
        return chr(int(word[1:], 16)) if len(word) > 1 else _ESCAPES.get(word, word)

    return _ESCAPE.sub(one, text)

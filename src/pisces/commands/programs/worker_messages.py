"""The lines between pisces and a worker, and what is wrong with a line that is none. No processes here.

Each is one JSON object on one line of UTF-8. pisces writes `{"id": 7, "args": ["list"]}` and, to give up a call,
`{"cancel": 7}`. The worker first writes `{"ready": 1}`, then for each call any number of `{"id": 7, "out": "text"}` and
`{"id": 7, "err": "text"}`, and last `{"id": 7, "exit": 0}`. There is one call at a time.
"""

from __future__ import annotations

import json

from pisces.diagnostics import ERROR, Rule
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.processes.launch import ERR, OUT
from pisces.value import Value

WORKER_NONSENSE = Rule("worker-nonsense", ERROR, "A worker wrote something that is not an answer")
WORKER_ENDED = Rule("worker-ended", ERROR, "A worker ended in the middle of a call")
WORKER_NOT_READY = Rule("worker-not-ready", ERROR, "A program that is declared as a worker does not become one")
WORKER_RESTING = Rule("worker-resting", ERROR, "A worker failed several times in a row and is left alone for a while")

WORKER_OPTION = "--worker"
LONGEST_LINE = 1 << 20
EXIT = "exit"
_VERSION = 1
_SHOWN = 80


class Broken(Exception):
    """The worker cannot be used any more: which rule says why, and what happened."""

    def __init__(self, rule: Rule, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message


class Reply(Value):
    """A piece of output (`kind` is OUT or ERR), or the end of a call (EXIT)."""

    kind: str
    data: bytes = b""
    code: int = 0


def request_line(number: int, words: tuple[str, ...]) -> bytes:
    return _line({"id": number, "args": list(words)})


def cancel_line(number: int) -> bytes:
    return _line({"cancel": number})


def expect_ready(line: bytes) -> None:
    found = _object(line)
    if found.get("ready") != _VERSION:
        raise Broken(WORKER_NOT_READY, f'the first line must be `{{"ready": {_VERSION}}}`, not {_shown(line)}')


def reply_of(line: bytes, number: int) -> Reply:
    """What the worker answers to the call of this number."""
    found = _object(line)
    if found.get("id") != number or isinstance(found.get("id"), bool):
        raise Broken(WORKER_NONSENSE, f"the call has the id {number}, and this is no answer to it: {_shown(line)}")
    kinds = [kind for kind in (OUT, ERR, EXIT) if kind in found]
    if len(kinds) != 1:
        raise Broken(WORKER_NONSENSE, f"an answer has one of `out`, `err` and `exit`: {_shown(line)}")
    kind, value = kinds[0], found[kinds[0]]
    if kind == EXIT and isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 255:
        return Reply(EXIT, code=value)
    if kind != EXIT and isinstance(value, str):
        return Reply(kind, value.encode("utf-8", "replace"))
    raise Broken(WORKER_NONSENSE, f"`{kind}` is {'text' if kind != EXIT else 'a number up to 255'}: {_shown(line)}")


def _object(line: bytes) -> dict[str, object]:
    try:
        found = parse(line.decode("utf-8"))
    except (UnicodeDecodeError, Malformed):
        raise Broken(WORKER_NONSENSE, f"this is not a line of JSON: {_shown(line)}") from None
    if not isinstance(found, dict):
        raise Broken(WORKER_NONSENSE, f"this is not a JSON object: {_shown(line)}")
    return found


def _shown(line: bytes) -> str:
    text = line[:_SHOWN].decode("utf-8", "replace")
    return f"`{text}{'...' if len(line) > _SHOWN else ''}`"


def _line(message: dict[str, object]) -> bytes:
    return json.dumps(message).encode("ascii") + b"\n"

"""Matches a `.gitignore` pattern against a path, byte for byte as Git does, in bounded time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pisces.formats.path_glob import fits_in_order

Part = re.Pattern[bytes] | None  # None stands for `**`: any number of folders

_ANY_NAME = re.compile(rb"(?s).+")
_NOTHING = rb"(?!)"
_CLASSES = {
    b"alnum": rb"[0-9A-Za-z]",
    b"alpha": rb"[A-Za-z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[\x21-\x7e]",
    b"lower": rb"[a-z]",
    b"print": rb"[\x20-\x7e]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t\n\v\f\r]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9A-Fa-f]",
}


class MatchesNothing(Exception):
    """The pattern has an unclosed bracket, an unknown class or a backslash at its end."""


def parts_of(pattern: bytes, flags: int = 0) -> tuple[Part, ...]:
    """One part for each name of the path, or `MatchesNothing`. `*` never matches a `/`, so names match one by one."""
    parts: list[Part] = [_part(part, flags) for part in _split(pattern)]
    return tuple(parts) if parts[-1] is not None else (*parts, _ANY_NAME)


def matches(parts: Sequence[Part], names: Sequence[bytes]) -> bool:
    return fits_in_order(parts, names, lambda part, name: part.fullmatch(name) is not None)


def _split(pattern: bytes) -> list[bytes]:
    """At each `/` that is not in a bracket."""
    parts = [b""]
    for token in _tokens(pattern):
        if token in (b"/", b"\\/"):
            parts.append(b"")
        else:
            parts[-1] += token
    return parts


def _tokens(pattern: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(pattern):
        escaped = pattern[at] == ord("\\")
        end = _bracket(pattern, at)[0] if pattern[at] == ord("[") else at + 1 + escaped
        yield pattern[at:end]
        at = end


def _part(part: bytes, flags: int) -> Part:
    if len(part) > 1 and not part.strip(b"*"):
        return None
    chunks = [b""]
    for token in _tokens(part):
        if token == b"*":
            chunks.append(b"")
        else:
            chunks[-1] += _token(token)
    return re.compile(_joined(chunks), re.DOTALL | flags)


def _joined(chunks: list[bytes]) -> bytes:
    """The first match of the text after a `*` is always sufficient, so the groups are atomic: no backtracking."""
    if len(chunks) == 1:
        return chunks[0]
    between = b"".join(b"(?>.*?" + chunk + b")" for chunk in chunks[1:-1])
    return chunks[0] + between + b".*" + chunks[-1]


def _token(token: bytes) -> bytes:
    if token == b"?":
        return b"."
    if token[:1] == b"[":
        return _bracket(token, 0)[1]
    if token == b"\\":
        raise MatchesNothing
    return re.escape(token[-1:])


def _bracket(pattern: bytes, at: int) -> tuple[int, bytes]:
    """The offset after a `[...]`, and the regular expression for the bytes that it allows."""
    at += 1
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    allowed: set[int] = set()
    first, before = at, -1  # `before` may begin a range
    while pattern[at : at + 1] != b"]" or at == first:
        at, before = _member(pattern, at, before, allowed)
    wanted = sorted(set(range(256)) - allowed if negated else allowed)
    return at + 1, b"[" + b"".join(b"\\x%02x" % byte for byte in wanted) + b"]" if wanted else _NOTHING


def _member(pattern: bytes, at: int, before: int, allowed: set[int]) -> tuple[int, int]:
    """Adds a byte, a range or a class to `allowed`. Returns the next offset, and what may begin a range there."""
    byte = _byte(pattern, at)
    if byte == ord("-") and before > 0 and pattern[at + 1 : at + 2] not in (b"", b"]"):
        at, last = _literal(pattern, at + 1)
        allowed.update(range(before, last + 1))
        return at, -1
    if pattern.startswith(b"[:", at):
        end = pattern.find(b"]", at + 2)
        if end < 0:
            raise MatchesNothing
        if end > at + 2 and pattern[end - 1] == ord(":"):
            allowed.update(_class(pattern[at + 2 : end - 1]))
            return end + 1, -1
        allowed.add(byte)
        return at + 1, byte
    at, byte = _literal(pattern, at)
    allowed.add(byte)
    return at, byte


def _literal(pattern: bytes, at: int) -> tuple[int, int]:
    at += pattern[at : at + 1] == b"\\"
    return at + 1, _byte(pattern, at)


def _byte(pattern: bytes, at: int) -> int:
    if at >= len(pattern):
        raise MatchesNothing
    return pattern[at]


def _class(name: bytes) -> list[int]:
    if name not in _CLASSES:
        raise MatchesNothing
    fits = re.compile(_CLASSES[name])
    return [byte for byte in range(256) if fits.match(bytes((byte,)))]

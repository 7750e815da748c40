"""Are these bytes text? Decided from the first 512 as Gemini CLI decides it, so that both show the same files."""

from __future__ import annotations

import re

_LOOKED_AT = 512
_RESERVE = 3  # a character that begins within the first 512 bytes may end behind them
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff", b"\x84\x31\x95\x33")
_PDF_MARK = b"%PDF-"
# A character of UTF-8 or plain ASCII; a NUL; or something odd: a lead byte takes the next byte with it.
_TOKEN = re.compile(
    rb"(?P<fine>[\x07-\x0e\x20-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3})"
    rb"|(?P<nul>\x00)"
    rb"|[\xc0-\xdf].|[\xe0-\xef].(?=.)|[\xf0-\xf7].(?=..)|.",
    re.DOTALL,
)


def is_binary(data: bytes) -> bool:
    if data.startswith(_TEXT_MARKS):
        return False
    if data.startswith(_PDF_MARK):
        return True
    seen = data[: _LOOKED_AT + _RESERVE]
    looked_at = min(len(seen), _LOOKED_AT)
    odd = 0
    for token in _TOKEN.finditer(seen):
        if token.start() >= looked_at:
            break
        if token["nul"] is not None:
            return True
        odd += token["fine"] is None
    return odd * 10 > looked_at or (odd > 1 and _is_messages(seen[:looked_at]))


class _End(Exception):
    """The bytes are over."""


def _is_messages(data: bytes) -> bool:
    """Fields in the encoding of protocol buffers from the first byte to the last."""
    at = count = 0
    try:
        while True:
            at, field = _number(data, at)
            at = _behind(data, at, field & 7)
            if at < 0:
                return False
            count += 1
    except _End:
        return count > 0


def _behind(data: bytes, at: int, kind: int) -> int:
    """Where the value of a field ends; -1 for a kind that does not exist."""
    if kind == 0:
        return _number(data, at)[0]
    if kind == 2:
        at, length = _number(data, at)
        at += max(length, 0)
    elif kind in (1, 5):
        at += 8 if kind == 1 else 4
    else:
        return -1
    if at > len(data):
        raise _End
    return at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """In 32 bits with a sign, and longer ones wrap around: what JavaScript's operators do."""
    number = 0
    for index in range(11):
        if at >= len(data):
            raise _End
        number |= (data[at] & 127) << (7 * index % 32)
        at += 1
        if data[at - 1] < 128:
            number &= 0xFFFFFFFF
            return at, number - 2**32 if number >= 2**31 else number
    raise _End

"""Are these bytes text? Decided from the first 512 as Gemini CLI decides it, so that both show the same files."""

from __future__ import annotations

import re

_EXAMINED = 512
_RESERVE = 3  # a character that begins within the first 512 bytes may end after them
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\x00\x00\xfe\xff", b"\xff\xfe", b"\xfe\xff", b"\x84\x31\x95\x33")
_PDF_MARK = b"%PDF-"
# A character of UTF-8 or ASCII, a NUL, or an invalid byte. An invalid lead byte includes the byte after it.
_TOKEN = re.compile(
    rb"(?P<fine>[\x07-\x0e\x20-\x7f]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3})"
    rb"|(?P<nul>\x00)"
    rb"|[\xc0-\xdf].|[\xe0-\xef].(?=.)|[\xf0-\xf7].(?=..)|.",
    re.DOTALL,
)


def is_binary(data: bytes) -> bool:
    if data.startswith(_BYTE_ORDER_MARKS):
        return False
    if data.startswith(_PDF_MARK):
        return True
    start = data[: _EXAMINED + _RESERVE]
    examined = min(len(start), _EXAMINED)
    invalid = 0
    for token in _TOKEN.finditer(start):
        if token.start() >= examined:
            break
        if token["nul"] is not None:
            return True
        invalid += token["fine"] is None
    return invalid * 10 > examined or (invalid > 1 and _is_protobuf(start[:examined]))


class _End(Exception):
    """The data ends inside a field."""


def _is_protobuf(data: bytes) -> bool:
    """Whether all bytes are fields in the encoding of protocol buffers."""
    at = count = 0
    try:
        while True:
            at, field = _number(data, at)
            at = _value_end(data, at, field & 7)
            if at < 0:
                return False
            count += 1
    except _End:
        return count > 0


def _value_end(data: bytes, at: int, kind: int) -> int:
    """The offset after the value of a field; -1 for an unknown wire type."""
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
    """A varint as a signed 32-bit integer. Longer ones wrap, as with JavaScript's operators."""
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

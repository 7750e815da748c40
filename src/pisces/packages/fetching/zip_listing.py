"""Counts the entries of a zip file in its directory, in constant memory. The number in its header may be wrong."""

from __future__ import annotations

import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

_END, _END64_AT, _END64, _ENTRY = b"PK\x05\x06", b"PK\x06\x07", b"PK\x06\x06", b"PK\x01\x02"
_END_SIZE, _LONGEST_COMMENT = 22, 0xFFFF


def listed_count(path: str, most: int) -> int:
    """The number of entries, counted up to `most` + 1; 0 if there is no directory."""
    with open(path, "rb") as file:
        size, end = _directory(file, os.path.getsize(path))
        file.seek(max(end - size, 0))
        count = 0
        while count <= most:
            header = file.read(46)
            if len(header) < 46 or not header.startswith(_ENTRY):
                return count
            count += 1
            name, extra, comment = struct.unpack("<HHH", header[28:34])
            file.seek(name + extra + comment, os.SEEK_CUR)
        return count


def _directory(file: IO[bytes], length: int) -> tuple[int, int]:
    """The size of the directory and the offset of its end, which is the end record. Bytes may precede the archive."""
    start = max(length - _END_SIZE - _LONGEST_COMMENT - 20, 0)
    file.seek(start)
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        return 0, 0
    size = struct.unpack("<L", tail[at + 12 : at + 16])[0]
    locator = tail[max(at - 20, 0) : at]
    if not locator.startswith(_END64_AT):
        return size, start + at
    large = start + at - 20 - 56
    file.seek(max(large, 0))
    record = file.read(56)
    if not record.startswith(_END64):
        return size, start + at
    return struct.unpack("<Q", record[40:48])[0], large

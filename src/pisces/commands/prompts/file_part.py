"""One file as a part of a prompt: text within limits, a medium as its bytes, or the sentence that says why neither."""

from __future__ import annotations

import errno
import os
import re
import stat

from pisces.formats.js_text import first_units
from pisces.formats.media_types import BINARY, SOUNDS, SVG, TEXT, UNSUPPORTED, medium_of
from pisces.shapes.prompt import Part

MOST_LINES = 2000
MOST_CHARACTERS = 2000  # of one line
MOST_BYTES = 20 * 1024 * 1024
_MOST_SVG = 1024 * 1024
_LINE_END = re.compile(r"\r?\n")
_MARKS = (  # UTF-32 before UTF-16: the mark of the one begins with that of the other
    (b"\xff\xfe\x00\x00", "utf-32-le", 4),
    (b"\x00\x00\xfe\xff", "utf-32-be", 4),
    (b"\xef\xbb\xbf", "utf-8", 1),
    (b"\xff\xfe", "utf-16-le", 2),
    (b"\xfe\xff", "utf-16-be", 2),
)


def file_part(path: str, shown: str) -> tuple[Part, str]:
    """The part, and a note where not all of the file is in it."""
    try:
        return _part(path, shown)
    except FileNotFoundError:
        return _said(path, "Could not read file because no file was found at the specified path."), ""
    except OSError as error:
        return _said(path, f"Error reading file {shown}: {_reason(error)}, open '{path}'"), f"`{shown}` cannot be read"


def text_of(data: bytes) -> str:
    """As its byte order mark says, else UTF-8; what is not in that encoding becomes U+FFFD."""
    for mark, encoding, width in _MARKS:
        if data.startswith(mark):
            rest = data[len(mark) :]
            return rest[: len(rest) - len(rest) % width].decode(encoding, "replace")
    return data.decode("utf-8", "replace")


def _part(path: str, shown: str) -> tuple[Part, str]:
    status = os.stat(path)
    if stat.S_ISDIR(status.st_mode):
        return _said(path, "Could not read file because the provided path is a directory, not a file."), ""
    if not stat.S_ISREG(status.st_mode):  # reading a pipe would wait for ever
        return _said(path, f"Error reading file {shown}: not a regular file"), f"`{shown}` is not a regular file"
    if status.st_size > MOST_BYTES:
        return _said(path, "File size exceeds the 20MB limit."), f"`{shown}` is larger than 20 MB"
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES)
    return _content(path, shown, data)


def _content(path: str, shown: str, data: bytes) -> tuple[Part, str]:
    medium = medium_of(path, data)
    if medium == TEXT:
        return _text(path, shown, text_of(data))
    if medium == SVG and len(data) <= _MOST_SVG:
        return _said(path, text_of(data)), ""
    if medium == SVG:
        return _said(path, f"Cannot display content of SVG file larger than 1MB: {shown}"), f"`{shown}` is too large"
    if medium == BINARY:
        return _said(path, f"Cannot display content of binary file: {shown}"), f"`{shown}` is a binary file"
    if medium == UNSUPPORTED:
        why = f"its format is not supported. Supported audio formats are {SOUNDS}."
        return _said(path, f"Could not read audio file because {why}"), f"`{shown}` is a sound in an unsupported format"
    return Part(mime=medium, data=data, path=path), ""


def _text(path: str, shown: str, text: str) -> tuple[Part, str]:
    lines = _LINE_END.split(text)
    cut_lines = [_short(line) for line in lines[:MOST_LINES]]
    note = ""
    if len(lines) > MOST_LINES:
        note = f"`{shown}` has {len(lines):,} lines, {MOST_LINES:,} are in the prompt"
    elif cut_lines != lines:
        note = f"`{shown}` has lines of more than {MOST_CHARACTERS:,} characters, which are cut"
    return _said(path, "\n".join(cut_lines)), note


def _short(line: str) -> str:
    start = first_units(line, MOST_CHARACTERS)
    return line if start is line else start + "... [truncated]"


def _said(path: str, text: str) -> Part:
    return Part(text, path=path)


def _reason(error: OSError) -> str:
    """As Node words it: `EACCES: permission denied`."""
    return f"{errno.errorcode.get(error.errno or 0, 'EIO')}: {(error.strerror or '').lower()}"

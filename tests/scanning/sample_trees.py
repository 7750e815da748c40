"""Samples in the style of real incidents, each a tree of files. They are data: nothing runs them, no host exists.

A file of `samples/` has samples that begin with `##### name`, and files that begin with `--- path`. What is between
double braces is written in another spelling, so that no text of the repository is a working payload.
"""

from __future__ import annotations

import base64
import pickletools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.checking.trees import Tree

FOLDER = Path(__file__).with_name("samples")
_PART = re.compile(r"\{\{(\w+) ?(.*?)\}\}")
_HEADING = re.compile(r"^(#####|---) (\S+)\n", re.M)


def samples(*files: str) -> Iterator[tuple[str, Tree]]:
    """Name and tree of every sample in the files."""
    for file in files:
        yield from _in_text((FOLDER / file).read_text("utf-8"))


def _in_text(text: str) -> Iterator[tuple[str, Tree]]:
    headings = list(_HEADING.finditer(text))
    name, tree = "", Tree()
    for number, heading in enumerate(headings):
        end = headings[number + 1].start() if number + 1 < len(headings) else len(text)
        if heading[1] == "#####":
            if name:
                yield name, tree
            name, tree = heading[2], Tree()
        else:
            tree[heading[2]] = _content(text[heading.end() : end])
    yield name, tree


def _content(text: str) -> str | bytes:
    whole = _PART.fullmatch(text.strip())
    if whole and whole[1] in _BYTES:
        return _BYTES[whole[1]](whole[2])
    return _PART.sub(lambda found: _SPELLINGS[found[1]](found[2]), text)


def _zero_width(text: str) -> str:
    bits = "".join(f"{ord(each):08b}" for each in text)
    return "".join("\u200b\u200c"[int(bit)] for bit in bits)


def _pickled(line: str) -> bytes:
    data = b"\x80\x02cposix\nsystem\nX" + len(line).to_bytes(4, "little") + line.encode() + b"\x85R."
    list(pickletools.genops(data))  # well-formed
    return data


def _locked_zip(_: str) -> bytes:
    """The header of a zip entry whose flags say that it is encrypted."""
    return b"PK\x03\x04\x14\x00\x01\x00\x08\x00" + bytes(16) + b"\x04\x00\x00\x00tool" + bytes(range(64))


_SPELLINGS: dict[str, Callable[[str], str]] = {
    "as": lambda text: text,
    "b64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "ps": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "rev": lambda text: text[::-1],
    "tags": lambda text: "".join(chr(0xE0000 + ord(each)) for each in text),
    "vs": lambda text: "".join(chr(0xFE00 + each if each < 16 else 0xE0100 - 16 + each) for each in text.encode()),
    "zw": _zero_width,
}
_BYTES: dict[str, Callable[[str], bytes]] = {"pickle": _pickled, "lockedzip": _locked_zip}

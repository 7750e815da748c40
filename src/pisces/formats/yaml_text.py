"""Values as YAML text that every reader takes the same: the header of a Markdown file, a block a field.

Text is plain only where no YAML of any age reads something else in it; everything else is in double quotes, which are
those of JSON.
"""

from __future__ import annotations

import re
from binascii import b2a_base64
from math import isfinite

from pisces.formats.json_text import quoted
from pisces.formats.yaml.scalars import Timestamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_PLAIN = re.compile(r"(?:\.?[A-Za-z_/])[A-Za-z0-9_./ ()'+-]*(?:[,;!?][A-Za-z0-9_./ ()'+-]*)*", re.ASCII)
_WORDS = frozenset(
    ("true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf", ".nan", ".inf", "_", ".")
)
_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


def header_text(fields: Mapping[str, Any]) -> str:
    """With a line break at the end; without the lines `---`."""
    return "".join(f"{line}\n" for line in _mapping(fields, 0))


def markdown_text(fields: Mapping[str, Any], body: str) -> str:
    """A Markdown file with a header."""
    return f"---\n{header_text(fields)}---\n{body}"


def _mapping(fields: Mapping[str, Any], depth: int) -> Iterator[str]:
    for key, value in fields.items():
        yield from _entry(f"{'  ' * depth}{_scalar(str(key))}:", value, depth)


def _entry(start: str, value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, dict) and value:
        yield start
        yield from _mapping(value, depth + 1)
    elif isinstance(value, list | tuple) and value:
        yield start
        for each in value:
            yield from _element(each, depth + 1)
    else:
        yield f"{start} {_scalar(value)}"


def _element(value: Any, depth: int) -> Iterator[str]:
    """What is inside a list is written in one line, as JSON is."""
    yield f"{'  ' * depth}- {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_quoted(str(key))}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value) if isfinite(value) else str(value).replace("inf", ".inf").replace("nan", ".nan")
    if isinstance(value, Timestamp):
        return value.text
    if isinstance(value, bytes):
        return f"!!binary {_quoted(b2a_base64(value, newline=False).decode())}"
    if isinstance(value, dict | list | tuple):
        return "{}" if isinstance(value, dict) else "[]"
    text = str(value)
    return text if _is_plain(text) else _quoted(text)


def _is_plain(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None and text.lower() not in _WORDS and not text.endswith(" ")


def _quoted(text: str) -> str:
    return _ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted(text))

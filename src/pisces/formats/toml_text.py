"""Values as TOML text: strings, numbers, lists and tables, in a spelling that every version of TOML reads."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_ESCAPED = re.compile('[\\\\"\x00-\x1f\x7f]')
_ESCAPED_IN_BLOCK = re.compile('\\\\|"""|"\\Z|[\x00-\x08\x0b-\x1f\x7f]')
_SHORT = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def toml_text(values: Mapping[str, Any]) -> str:
    """Tables come behind the other values. A text of several lines is written as one."""
    return "\n".join(_lines(values, ())) + "\n"


def _lines(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    tables = {key: value for key, value in values.items() if isinstance(value, dict)}
    for key, value in values.items():
        if key not in tables:
            yield f"{_key(key)} = {_value(value)}"
    for key, table in tables.items():
        inside = (*path, key)
        if not table or any(not isinstance(each, dict) for each in table.values()):
            yield ""
            yield f"[{'.'.join(map(_key, inside))}]"
        yield from _lines(table, inside)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _string(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    text = _without_surrogates(str(value))
    return _block(text) if "\n" in text else _string(text)


def _string(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, text)}"'


def _block(text: str) -> str:
    return f'"""\n{_ESCAPED_IN_BLOCK.sub(_escape, text)}"""'


def _escape(found: re.Match[str]) -> str:
    return "".join(_SHORT.get(each) or f"\\u{ord(each):04x}" for each in found[0])


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")

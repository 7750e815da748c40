"""`.env` files as Gemini CLI reads them: `KEY=value`, three kinds of quotes, `#` begins a comment.

Writing uses the simplest form that reads back as the same value. Gemini CLI itself writes escapes that its reader does
not undo; such values are written here in a form that it reads correctly.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY = re.compile(r"\s*(?:export\s+)?([\w.-]+)(?:\s*=|:(?=\s))[^\S\n]*", re.ASCII)
_PLAIN = re.compile(r"[^\s\ufeff#'\"`][^\s\ufeff#]*")
_ESCAPED_END = re.compile(r"\\[nr]")


def parse_env(text: str) -> dict[str, str]:
    """All variables of a file. The last of a name wins. Invalid lines are ignored, as by other readers."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    values: dict[str, str] = {}
    at = 0
    while at < len(text):
        end = _line_end(text, at)
        key = _KEY.match(text, at, end)
        if key:
            values[key[1]], end = _value(text, key.end(), end)
        at = end + 1
    return values


def env_text(values: Mapping[str, str]) -> str:
    """The content of a file with these values. Raises ValueError for a value that cannot be written."""
    return "".join(f"{key}={_written(value)}\n" for key, value in values.items())


def _value(text: str, at: int, line_end: int) -> tuple[str, int]:
    """The value that begins here, and the end of its last line."""
    quote = text[at : at + 1]
    if quote and quote in "'\"`" and (close := _closing(text, at, quote)) > 0:
        inside = text[at + 1 : close]
        if quote == '"':
            inside = inside.replace("\\n", "\n").replace("\\r", "\r")
        return inside, _line_end(text, close)
    plain = text[at:line_end].partition("#")[0].strip()
    return plain, line_end


def _closing(text: str, at: int, quote: str) -> int:
    """The end of a quoted value: a quote with at most a comment after it on its line."""
    close = text.find(quote, at + 1)
    while close > 0:
        rest = text[close + 1 : _line_end(text, close)].strip()
        if not rest or rest.startswith("#"):
            return close
        close = text.find(quote, close + 1)
    return -1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _written(value: str) -> str:
    if not value or _PLAIN.fullmatch(value):
        return value
    if "\n" in value or "\r" in value or value.endswith("\\"):
        raise ValueError("the value has more than one line, or ends with a backslash")
    if '"' not in value and not _ESCAPED_END.search(value):
        return f'"{value}"'
    for quote in "'`":
        if quote not in value:
            return f"{quote}{value}{quote}"
    raise ValueError("the value has every kind of quote in it")

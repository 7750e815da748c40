"""JSON exactly as JavaScript's `JSON.parse` reads it, with messages that say what to change.

The standard library's scanner reads the text. Only if it fails, the slower `json_fault` finds the place and the reason,
so that both are the same under every Python version.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Scan = Callable[[str, int], tuple[Any, int]]

# Quoted, so that importing it does not load `typing`.
JsonObject: TypeAlias = "dict[str, Any]"

DEEPEST = 500  # levels; the scanner's own limit depends on the stack depth of its caller
TOO_DEEP = f"nested more than {DEEPEST} levels deep"
_BLANK = " \t\n\r"


def _refuse(name: str) -> object:
    raise ValueError(name)


def _whole(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:  # more digits than Python converts to an int; JavaScript has only doubles
        return float(digits)


class _Options:
    """The attributes that the scanner reads, named as in `json.JSONDecoder`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int: Any = int
    parse_constant = staticmethod(_refuse)


class _LongIntegerOptions(_Options):
    parse_int = staticmethod(_whole)


if TYPE_CHECKING:

    def _scanner(options: type[_Options]) -> Scan: ...

else:
    try:
        # The C scanner alone: the regular expressions of `json` take as long to load as Python itself.
        from _json import make_scanner as _scanner
    except ImportError:  # an interpreter without the C module
        from json import JSONDecoder

        def _scanner(options):
            return JSONDecoder(parse_int=options.parse_int, parse_constant=_refuse).scan_once


# StopIteration: a text without any value. SystemError: Python 3.11's scanner cannot name a mistake while
# `json.decoder` is not loaded, so it raises without saying what.
REFUSALS = (ValueError, RecursionError, StopIteration, SystemError)
_SCAN = _scanner(_Options)
scan = _scanner(_LongIntegerOptions)


def parse_marked(text: str) -> Any:
    """JSON that may begin with a byte order mark, which some programs skip."""
    return parse(text.removeprefix("\ufeff"))


def is_too_deep(text: str) -> bool:
    """Since Python 3.14 the scanner reads tens of thousands of levels, which no walk over the value survives."""
    return text.count("{") + text.count("[") > DEEPEST and bool(_fault("is_too_deep", text))


def parse(text: str) -> object:
    if is_too_deep(text):
        raise _fault("fault_in", text) or Malformed(TOO_DEEP)
    try:
        return _read(_SCAN, text)
    except REFUSALS:
        return _second_reading(text)


def _read(read: Scan, text: str) -> object:
    start = 0 if text.startswith("{") else len(text) - len(text.lstrip(_BLANK))
    value, end = read(text, start)
    if end != len(text) and text[end:].strip(_BLANK):
        raise ValueError
    return value


def _second_reading(text: str) -> object:
    """Raises the fault. Without a fault, the text has an integer that is too long for `int`."""
    if fault := _fault("fault_in", text):
        raise fault from None
    try:
        return _read(scan, text)
    except RecursionError:  # the caller has used up the stack
        raise Malformed(TOO_DEEP) from None


def _fault(question: str, text: str) -> Any:
    return export_of("pisces.formats", "json_fault", question)(text)

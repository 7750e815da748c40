"""Numbers, dates and times as js-yaml's default schema reads them."""

from __future__ import annotations

import re

from pisces.formats.yaml.scalars import LARGEST_EXACT, Timestamp

_INTEGER = r"[-+]?(?:0b[01_]*[01]|0o[0-7_]*[0-7]|0x[0-9a-fA-F_]*[0-9a-fA-F]|(?!0_)[0-9](?:[0-9_]*[0-9])?)"
_FLOAT = r"(?:[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?)(?<!_)"
_SPECIAL_FLOAT = r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_TIMESTAMP = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|"
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)
_INFINITY = float("inf")


def number_or_time(text: str) -> int | float | Timestamp | None:
    """What a plain scalar means that is neither a text nor one of the words."""
    for reading in (integer, floating, timestamp):
        value = reading(text)
        if value is not None:
            return value
    return None


def integer(text: str) -> int | float | None:
    """A whole number, as far as a double holds it exactly; infinity beyond a double's range."""
    if re.fullmatch(_INTEGER, text) is None:
        return None
    digits = text.lstrip("+-").replace("_", "")
    radix = {"0b": 2, "0o": 8, "0x": 16}.get(digits[:2])
    value = _double(digits) if radix is None else int(digits[2:], radix)
    if value > LARGEST_EXACT:
        value = _double(value)
    whole = value if value == _INFINITY else int(value)
    return -whole if text[0] == "-" else whole


def floating(text: str) -> float | None:
    if re.fullmatch(_FLOAT, text) is not None:
        digits = text.replace("_", "")
        return float("nan" if digits[:2] in (".e", ".E") else digits)  # as parseFloat() answers to `._e1`
    special = re.fullmatch(_SPECIAL_FLOAT, text)
    if special is None:
        return None
    if special[1] is None:
        return float("nan")
    return float(special[1] + "inf")


def _double(value: str | float) -> float:
    try:
        return float(value)
    except OverflowError:  # of an integer; digits just become infinity
        return _INFINITY


def timestamp(text: str) -> Timestamp | None:
    return Timestamp(text) if re.fullmatch(_TIMESTAMP, text) is not None else None

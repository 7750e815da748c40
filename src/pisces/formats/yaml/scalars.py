"""What a plain scalar means, by js-yaml's default schema, and how JavaScript writes a value used as a key."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.value import Value

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MARKED_STARTS = frozenset("0123456789+-.~nNtTfF")
_IN_NUMBERS = frozenset("0123456789abcdefABCDEFxo_+-.:TtZ \tinIN")  # and in times
_NO_CHARACTERS = ("\ufffe", "\uffff")
LARGEST_EXACT = 2**53


class Timestamp(Value):
    """A date or a time as written. Not a `str`, because JavaScript makes a Date of it."""

    text: str

    def __repr__(self) -> str:
        return self.text


def value_of(text: str) -> object:
    """A null, boolean, number or timestamp if the text looks like one, else the text."""
    if text[:1] not in _MARKED_STARTS and text:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "~nNtTfF" or not _IN_NUMBERS.issuperset(text):
        return text
    if text.isdigit() and text.isascii() and text[0] != "0" and len(text) < 16:
        return int(text)
    value = export_of("pisces.formats.yaml", "numbers", "number_or_time")(text)
    return text if value is None else value


def has_no_character(text: str) -> bool:
    """Whether a text has something in it that is no character of Unicode. A pattern for that is slow to compile."""
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a character
        return True
    return any(each in text for each in _NO_CHARACTERS)


def boolean(text: str) -> bool | None:
    return _WORDS.get(text)


def key_text(value: object) -> str:
    """The property name that JavaScript makes of a value. ValueError for a list in a list, which has none."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        if any(isinstance(item, list) for item in value):
            raise ValueError("a list inside a list cannot be part of a key")
        return ",".join("" if item is None else key_text(item) for item in value)
    if isinstance(value, bytes):
        return ",".join(str(byte) for byte in value)
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, Timestamp):
        return value.text
    if isinstance(value, bool) or value is None:
        return {None: "null", True: "true", False: "false"}[value]
    return number_text(value) if isinstance(value, int | float) else str(value)


def number_text(value: int | float) -> str:
    """A number as JavaScript prints it: shortest digits, an exponent only from 1e21 and below 1e-6."""
    if isinstance(value, int) and abs(value) <= LARGEST_EXACT:
        return str(value)
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(number)]
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return sign + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    """The digits with the decimal point after the first `point` of them."""
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return f"{whole}.{fraction}" if fraction else whole
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{mantissa}e{point - 1:+d}"

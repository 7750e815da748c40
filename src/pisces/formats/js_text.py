"""Text as JavaScript sees it, where the prompt that reaches the model depends on it: blanks and 16-bit lengths."""

from __future__ import annotations

from itertools import accumulate, takewhile

# What JavaScript's `\s` and `trim()` match. Python's `strip` and `\s` match a different set.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
BLANKS += "\u2028\u2029\u202f\u205f\u3000\ufeff"


def trimmed(text: str) -> str:
    return text.strip(BLANKS)


def first_units(text: str, count: int, errors: str = "replace") -> str:
    """The first `count` 16-bit units. An emoji has two; `errors` handles half of one, as in `decode`."""
    if len(text) * 2 <= count:
        return text
    if errors == "ignore":  # decoding would also lose lone surrogates before the cut
        units_after = accumulate(1 + (character > "\uffff") for character in text)
        return text[: sum(1 for _ in takewhile(lambda total: total <= count, units_after))]
    units = text.encode("utf-16-le", "surrogatepass")
    return text if len(units) <= count * 2 else units[: count * 2].decode("utf-16-le", errors)

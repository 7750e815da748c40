"""JSON with comments: `parse` as Gemini CLI reads its settings, `parse_lenient` as VS Code reads its own.

Comments are replaced by blanks, so that lines and columns stay as the author sees them.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.formats import json
from pisces.formats.malformed import Malformed

# JavaScript's white space: strip-json-comments keeps it, so an exotic one inside a comment stays an error. It is the
# same as `js_text.BLANKS`, which would be one more module in every listing.
_BLANK = frozenset(
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def parse(text: str) -> object:
    """Comments are allowed, also one that is never closed; trailing commas and a byte order mark are not."""
    return json.parse(without_comments(text))


def parse_lenient(text: str) -> object:
    """Comments, trailing commas and a byte order mark are allowed."""
    plain = without_comments(text)
    if plain.startswith("\ufeff"):
        plain = " " + plain[1:]
    try:
        return json.parse(plain)
    except Malformed:
        return json.parse(export_of("pisces.formats", "trailing_commas", "without_trailing_commas")(plain))


def without_comments(text: str) -> str:
    """No regular expressions: a listing may meet a file with comments and nothing else that needs them."""
    parts: list[str] = []
    done = at = 0
    slash = text.find("/")
    while slash >= 0:
        quote = text.find('"', at, slash)
        if quote >= 0:
            at = _after_string(text, quote)
        else:
            at = _after_comment(text, slash)
            if at > slash + 1:
                parts += (text[done:slash], "".join(char if char in _BLANK else " " for char in text[slash:at]))
                done = at
        if slash < at:
            slash = text.find("/", at)
    return "".join((*parts, text[done:]))


def _after_string(text: str, at: int) -> int:
    """Behind the string that begins here; the end of the text where it is not closed."""
    at += 1
    quote = text.find('"', at)
    while quote >= 0:
        escape = text.find("\\", at, quote)
        if escape < 0:
            return quote + 1
        at = escape + 2
        if quote < at:
            quote = text.find('"', at)
    return len(text)


def _after_comment(text: str, at: int) -> int:
    """Behind the comment that begins here; behind the slash where none does."""
    mark = {"//": "\n", "/*": "*/"}.get(text[at : at + 2])
    if mark is None:
        return at + 1
    end = text.find(mark, at + 2)
    return len(text) if end < 0 else end + (2 if mark == "*/" else 0)

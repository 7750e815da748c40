"""TOML 0.5 as Gemini CLI reads it, which is as @iarna/toml 2.2.5 does: a file loads here if and only if it loads there.

`tomllib` reads TOML 1.0, turns CRLF into LF inside strings and is slow on long ones, and prompts are long strings;
docs/decisions/0003 has the list of differences and the counts.
"""

from __future__ import annotations

import re

from pisces.formats.malformed import Malformed, place_at
from pisces.formats.toml_plain import is_printable, plain_pairs
from pisces.value import Value

DEEPEST = 100  # levels of tables and lists together

_BLANK = re.compile(r"(?>(?:[ \t\r\n]++|#[^\n]*+)*)")  # between statements and inside lists
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(r'"([^"\\\x00-\x08\n-\x1f\x7f]*+(?>(?:\\[^\r\n][^"\\\x00-\x08\n-\x1f\x7f]*+)*))"')
_USUAL_PAIR = re.compile(r"([A-Za-z0-9_-]+)[ \t]*=[ \t]*([\"'])")  # up to the quote of a text
_LITERAL = re.compile(r"'([^'\x00-\x08\n-\x1f\x7f]*+)'")
_LINE_END = re.compile(r"[ \t\r]*(?:#[^\n]*+)?(?:\n|\Z)")
_CONTROL = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_NEWLINE_AFTER_QUOTES = re.compile(r"\r*\n?")

_AFTER_PLAIN = ("", " ", "\t", "\r", "\n", ",", "]", "}", "#")  # behind digits that are a whole number, as most are

# Compiled when first needed: most command files hold nothing but strings.
_LONG_STRING = r'[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)"""'
_ESCAPE = r"\\(?:[ \t]*[\r\n][ \t\r\n]*|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))"
_WORD = r"[^\s,\]}#]*"
# Right before a comma or a closing bracket iarna lets a number end in `_` or `.`.
_CUT = r"(?:_(?=[,\]}]))?"
_DIGITS = rf"[0-9](?:_?[0-9])*{_CUT}"
_WHOLE = rf"(?:0|[1-9](?:_?[0-9])*{_CUT})"
_EXPONENT = rf"[eE][+-]?{_DIGITS}"
_NUMBER = (
    rf"(?P<based>(?:0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*){_CUT})"
    rf"|(?P<float>[+-]?(?:inf|nan|{_WHOLE}\.(?:{_DIGITS}(?:{_EXPONENT})?|(?=[,\]}}])))"
    rf"|(?:[+-]0|[+-]?[1-9](?:_?[0-9])*){_EXPONENT})"  # `0e1` without a sign is refused
    rf"|(?P<integer>[+-]?{_WHOLE})"
)
_DATE = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_TIME = r"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]|24:00:00)"
_ENDS = r"(?=[ \t\r\n#]|\Z)"  # iarna does not let a comma or a bracket follow
_MOMENT = (
    rf"{_DATE}[T ]{_TIME}(?:\.[0-9]+)?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]|{_ENDS})"
    rf"|{_DATE}(?:[T ]{_ENDS}|(?! ){_ENDS})"
    rf"|{_TIME}(?:\.[0-9]+{_ENDS}|(?!\.)[\s\S]?)"  # iarna skips the character after a time, whatever it is
)
_ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


class Moment(Value):
    """A date or a time as written: pisces has no use for its value."""

    text: str


def parse(text: str) -> dict[str, object]:
    plain = plain_pairs(text)
    if plain is not None:
        return plain
    try:
        return TomlReader(text).document()
    except RecursionError:  # the caller has used up the stack
        raise Malformed(f"nested more than {DEEPEST} levels deep") from None


class TomlReader:
    """Reads one text. `at` is the current offset. `position` overrides `note`, `enter` and `mixes_kinds`."""

    mixes_kinds = False  # in a list

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.root: dict[str, object] = {}
        # Tables that may still get keys, by identity (`root` holds all of them, so an id is not reused).
        self.declared = {id(self.root)}  # have had a header: only headers of their children add to them
        self.implied: set[int] = set()  # were only passed through: dotted keys and one header add to them
        self.lists: set[int] = set()  # arrays of tables: another header adds an element

    def fault(self, message: str, at: int | None = None) -> Malformed:
        return Malformed(message, *place_at(self.text, self.at if at is None else at))

    def note(self, container: object, part: str | int, at: int) -> None:
        """Called for every key and list element, before its value is read."""

    def enter(self, container: object) -> None:
        """Called with the container that is the value of the part noted last."""

    def skip(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found is not None

    def take(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += len(mark)
        return True

    def document(self) -> dict[str, object]:
        table, levels, text = self.root, 0, self.text
        if text.startswith("\ufeff"):
            raise self.fault("byte order mark at the start: save the file as UTF-8 without it")
        while self.skip(_BLANK) and self.at < len(text):
            if text[self.at] == "[":
                table, levels = self.header()
            else:
                self.pair(table, levels)
            if not self.skip(_LINE_END):
                self.skip(_SPACE)
                raise self.fault(f"unexpected `{self.shown()}`: the line should end here")
        return self.root

    def shown(self) -> str:
        found = re.compile(r"[\w-]+|.").match(self.text, self.at)
        return found[0][:40] if found else ""

    def header(self) -> tuple[dict[str, object], int]:
        repeated = self.take("[[")
        self.at += 0 if repeated else 1
        self.skip(_SPACE)
        parts = self.key()
        self.skip(_SPACE)
        if not self.take("]]" if repeated else "]"):
            raise self.fault(f"the table name should be closed with `{']]' if repeated else ']'}`")
        table = self.root
        for name, at in parts[:-1]:
            table = self.inside(table, name, at)
        return (self.another if repeated else self.declare)(table, *parts[-1]), len(parts) + repeated

    def inside(self, table: dict[str, object], name: str, at: int) -> dict[str, object]:
        """The table that a header passes through."""
        child = table.get(name)
        if child is None:
            return self.imply(table, name, at)
        if isinstance(child, list) and id(child) in self.lists:
            child = child[-1]
        if not isinstance(child, dict) or not (id(child) in self.declared or id(child) in self.implied):
            raise self.fault(f"`{name}` already has a value, so it cannot be a table", at)
        return child

    def imply(self, table: dict[str, object], name: str, at: int) -> dict[str, object]:
        child: dict[str, object] = {}
        table[name] = child
        self.implied.add(id(child))
        self.note(table, name, at)
        self.enter(child)
        return child

    def implied_table(self, table: dict[str, object], name: str, at: int) -> dict[str, object]:
        child = table[name] if name in table else self.imply(table, name, at)
        if not isinstance(child, dict) or id(child) not in self.implied:
            raise self.fault(f"`{name}` is already defined", at)
        return child

    def declare(self, table: dict[str, object], name: str, at: int) -> dict[str, object]:
        child = self.implied_table(table, name, at)
        self.implied.remove(id(child))
        self.declared.add(id(child))
        return child

    def another(self, table: dict[str, object], name: str, at: int) -> dict[str, object]:
        tables = table.get(name)
        if tables is None:
            tables = table[name] = []
            self.lists.add(id(tables))
            self.note(table, name, at)
            self.enter(tables)
        if not isinstance(tables, list) or id(tables) not in self.lists:
            raise self.fault(f"`{name}` is already defined, and not as a list of tables", at)
        child: dict[str, object] = {}
        self.note(tables, len(tables), at)
        self.enter(child)
        tables.append(child)
        self.declared.add(id(child))
        return child

    def pair(self, table: dict[str, object], levels: int) -> None:
        usual = _USUAL_PAIR.match(self.text, self.at)
        if usual and usual[1] not in table:
            self.note(table, usual[1], self.at)
            self.at = usual.start(2)
            table[usual[1]] = self.string(usual[2])
            return
        parts = self.key()
        if not self.skip(_EQUALS):
            self.skip(_SPACE)
            raise self.fault(f"expected `=` after the key `{parts[-1][0]}`")
        for name, at in parts[:-1]:
            table = self.implied_table(table, name, at)
        name, at = parts[-1]
        if name in table:
            raise self.fault(f"`{name}` is already defined", at)
        self.note(table, name, at)
        table[name] = self.value(levels + len(parts))

    def key(self) -> list[tuple[str, int]]:
        """The parts of a dotted key, each with its offset."""
        parts: list[tuple[str, int]] = []
        while True:
            start = self.at
            if self.skip(_BARE):
                name = self.text[start : self.at]
            elif self.text.startswith(('"', "'"), start):
                name = self.short_string(self.text[start])
            else:
                raise self.fault(f"expected a key, found `{self.shown()}`" if self.shown() else "expected a key")
            parts.append((name, start))
            if len(parts) > DEEPEST:
                raise self.fault(f"nested more than {DEEPEST} levels deep", start)
            if not self.skip(_DOT):
                return parts

    def value(self, levels: int) -> object:
        first = self.text[self.at : self.at + 1]
        if first in ('"', "'") and first:
            return self.string(first)
        if first in ("[", "{") and levels >= DEEPEST:
            raise self.fault(f"nested more than {DEEPEST} levels deep")
        if self.take("["):
            return self.array(levels + 1)
        if self.take("{"):
            return self.inline_table(levels + 1)
        if self.take("true"):
            return True
        if self.take("false"):
            return False
        return self.moment_or_number()

    def array(self, levels: int) -> list[object]:
        bracket = self.at - 1
        items: list[object] = []
        self.enter(items)
        while self.skip(_BLANK) and not self.take("]"):
            if self.at == len(self.text):
                raise self.fault("the list is not closed", bracket)
            start = self.at
            self.note(items, len(items), start)
            items.append(self.value(levels))
            if type(items[-1]) is not type(items[0]) and not self.mixes_kinds:
                raise self.fault(_mixed(items[0], items[-1]), start)
            self.skip(_BLANK)
            if not self.take(",") and not self.text.startswith("]", self.at):
                at_end = self.at == len(self.text)
                raise self.fault("the list is not closed" if at_end else "missing comma", bracket if at_end else None)
        return items

    def inline_table(self, levels: int) -> dict[str, object]:
        bracket = self.at - 1
        table: dict[str, object] = {}
        self.enter(table)
        while self.skip(_SPACE) and not self.take("}"):
            if self.text[self.at : self.at + 1] in ("", "\r", "\n", "#"):
                raise self.fault("an inline table has to be closed on the line where it starts", bracket)
            self.pair(table, levels)
            self.skip(_SPACE)
            if not self.take(",") and self.text[self.at : self.at + 1] not in ("", "\r", "\n", "#", "}"):
                raise self.fault("missing comma")
        return table

    def moment_or_number(self) -> object:
        plain = _BARE.match(self.text, self.at)
        digits, after = (plain[0], self.text[plain.end() : plain.end() + 1]) if plain else ("", "")
        if digits.isdigit() and digits[0] != "0" and len(digits) < 18 and after in _AFTER_PLAIN:
            self.at += len(digits)
            return int(digits)
        if found := re.compile(_MOMENT).match(self.text, self.at):
            self.at = found.end()
            return Moment(found[0].strip())
        if found := re.compile(_NUMBER).match(self.text, self.at):
            self.at = found.end()
            return _number(found[0].replace("_", ""), str(found.lastgroup))
        raise self.fault(_no_value(re.compile(_WORD).match(self.text, self.at)))

    def string(self, quote: str) -> str:
        if not self.text.startswith(quote * 3, self.at):
            return self.short_string(quote)
        return self.long_literal() if quote == "'" else self.long_string()

    def short_string(self, quote: str) -> str:
        start = self.at
        found = (_STRING if quote == '"' else _LITERAL).match(self.text, start)
        if found is None:
            raise self.fault(*_short_string_fault(self.text, start, quote))
        self.at = found.end()
        return self.unescaped(found[1], start + 1) if quote == '"' else found[1]

    def long_literal(self) -> str:
        quotes = self.at
        start = self.after_quotes()
        end = self.text.find("'''", start)
        if end < 0:
            raise self.fault("the text is not closed with `'''`", quotes)
        self.at = end + 3
        return self.printable(start, end)

    def long_string(self) -> str:
        quotes = self.at
        start = self.after_quotes()
        end = self.text.find('"""', start)
        if "\\" in self.text[start : end + 1]:  # it may escape a quote
            found = re.compile(_LONG_STRING, re.DOTALL).match(self.text, start)
            end = found.end() - 3 if found else -1
        if end < 0:
            raise self.fault('the text is not closed with `"""`', quotes)
        self.at = end + 3
        return self.unescaped(self.printable(start, end), start)

    def after_quotes(self) -> int:
        self.at += 3
        self.skip(_NEWLINE_AFTER_QUOTES)
        return self.at

    def printable(self, start: int, end: int) -> str:
        body = self.text[start:end]
        if not is_printable(body):
            wrong = re.compile(_CONTROL).search(body)
            raise self.fault(_control_character(wrong[0]), start + wrong.start()) if wrong else AssertionError
        return body

    def unescaped(self, body: str, start: int) -> str:
        if "\\" not in body:
            return body

        def plain(found: re.Match[str]) -> str:
            digits = found[1] or found[2]
            if digits:
                return self.character(digits, start + found.start())
            if not found[3]:
                return ""  # the backslash ends its line
            if found[3] not in _ESCAPED:
                raise self.fault(_unknown_escape(found[3]), start + found.start())
            return _ESCAPED[found[3]]

        return re.sub(_ESCAPE, plain, body)

    def character(self, digits: str, at: int) -> str:
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise self.fault(f"there is no character U+{digits.upper()}", at)
        return chr(code)


_KINDS = {str: "text", bool: "true or false", int: "integer", float: "float", list: "list", dict: "table"}


def _mixed(first: object, other: object) -> str:
    kinds = [_KINDS.get(type(each), "date or time") for each in (first, other)]
    return f"a list holds one kind of value, not both {kinds[0]} and {kinds[1]}"


def _number(digits: str, kind: str) -> int | float:
    if kind == "based":
        return int(digits, 0)
    try:
        return int(digits) if kind == "integer" else float(digits)
    except ValueError:  # more digits than Python converts to an int
        return float(digits)


def _no_value(found: re.Match[str] | None) -> str:
    word = found[0][:40] if found else ""
    if not word:
        return "the value is missing"
    if word in ("True", "False"):
        return f"`{word}` is not TOML: write `{word.lower()}`"
    if word[0].isdigit() or word[0] in "+-.":
        return f"`{word}` is not a number or a date in TOML"
    return f"text is written in quotes, `{word}` is not"


def _short_string_fault(text: str, start: int, quote: str) -> tuple[str, int]:
    pattern = r'"(?>(?:[^"\\\x00-\x08\n-\x1f\x7f]|\\[^\r\n])*)' if quote == '"' else _LITERAL.pattern[:-1]
    found = re.compile(pattern).match(text, start)
    end = found.end() if found else start + 1
    if text[end : end + 1] in ("", "\r", "\n", "\\"):
        return f"the text is not closed on its line: longer text is written between `{quote * 3}`", start
    return _control_character(text[end]), end


def _control_character(character: str) -> str:
    return f"control character U+{ord(character):04X} inside text: write it as `\\u{ord(character):04x}`"


def _unknown_escape(character: str) -> str:
    if character in " \t":
        return "a backslash before a space: it may only end its line"
    if character in "uU":
        return f"`\\{character}` needs {4 if character == 'u' else 8} hexadecimal digits"
    return f"`\\{character}` is not an escape in TOML: write `\\\\{character}`, or put the text in single quotes"

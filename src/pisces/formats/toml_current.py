"""TOML 1.0, as Codex and Python's own tools read it; `toml` is the older dialect that Gemini CLI reads.

The standard library's reader takes as long to load as Python itself, so a plain file is read here: headers, keys
without dots, texts on one line without escapes, plain numbers, lists and inline tables. At anything else, and at every
fault, the shortcut gives up, and the other reader decides.
"""

from __future__ import annotations

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Table = dict[str, Any]

_DEEPEST = 20  # lists and inline tables inside each other
_BLANKS = " \t\n"
_AFTER_BARE = frozenset(" \t\n,]}#")


def parse(text: str) -> dict[str, Any]:
    """Raises `Malformed`."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        return _Plain(plain).document()
    except (_UnsureError, IndexError):
        parsed: dict[str, Any] = export_of("pisces.formats", "toml_in_full", "parse")(text)
        return parsed


class _UnsureError(Exception):
    """Here is something that a plain file does not have."""


class _Plain:
    """One reading; `at` is the offset of what comes next. An offset behind the end gives up too."""

    def __init__(self, text: str) -> None:
        if not text.replace("\n", "").replace("\t", "").isprintable():
            raise _UnsureError
        self.text = text + "\n"
        self.at = 0
        self.root: Table = {}
        self.headed = {id(self.root)}  # tables that headers made, by identity; all of them live in `root`
        self.lists: set[int] = set()  # lists of tables that headers made

    def document(self) -> Table:
        table = self.root
        while self.skip(_BLANKS) < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            if self.skip(" \t") < len(self.text) and self.text[self.at] != "\n":
                raise _UnsureError
        return self.root

    def skip(self, blanks: str) -> int:
        """Over blanks and a comment; with line ends among the blanks, over all comments."""
        text, end = self.text, len(self.text)
        while self.at < end and (text[self.at] in blanks or text[self.at] == "#"):
            self.at = text.index("\n", self.at) if text[self.at] == "#" else self.at + 1
        return self.at

    def header(self) -> Table:
        repeated = self.text.startswith("[[", self.at)
        self.at += 1 + repeated
        names = [self.key()]
        while self.text[self.at] == ".":
            self.at += 1
            names.append(self.key())
        if not self.text.startswith("]]" if repeated else "]", self.at):
            raise _UnsureError
        self.at += 1 + repeated
        table = self.root
        for name in names[:-1]:
            table = self.inside(table, name)
        return self.another(table, names[-1]) if repeated else self.new(table, names[-1])

    def inside(self, table: Table, name: str) -> Table:
        """The table that a header passes through."""
        child: Any = table[name] if name in table else self.new(table, name)
        found: Table = child[-1] if id(child) in self.lists else child
        if id(found) not in self.headed:
            raise _UnsureError
        return found

    def new(self, table: Table, name: str) -> Table:
        child: Table = {}
        self.put(table, name, child)
        self.headed.add(id(child))
        return child

    def another(self, table: Table, name: str) -> Table:
        if name not in table:
            table[name] = []
            self.lists.add(id(table[name]))
        if id(table[name]) not in self.lists:
            raise _UnsureError
        child: Table = {}
        table[name].append(child)
        self.headed.add(id(child))
        return child

    def put(self, table: Table, name: str, value: Any) -> None:
        if name in table:
            raise _UnsureError
        table[name] = value

    def pair(self, table: Table, deep: int = 0) -> None:
        name = self.key()
        if self.text[self.at] != "=":
            raise _UnsureError
        self.at += 1
        self.put(table, name, self.value(deep))

    def key(self) -> str:
        """A key with the blanks on both sides."""
        while self.text[self.at] in " \t":
            self.at += 1
        if self.text[self.at] in "'\"":
            name = self.quoted()
        else:
            start = self.at
            while self.text[self.at].isalnum() or self.text[self.at] in "_-":
                self.at += 1
            name = self.text[start : self.at]
            if not name or not name.isascii():
                raise _UnsureError
        while self.text[self.at] in " \t":
            self.at += 1
        return name

    def quoted(self) -> str:
        quote, start = self.text[self.at], self.at + 1
        end = self.text.index("\n", start)
        close = self.text.find(quote, start, end)
        found = self.text[start:close]
        if close < 0 or "\\" in found or self.text.startswith(quote * 3, start - 1):
            raise _UnsureError
        self.at = close + 1
        return found

    def value(self, deep: int) -> Any:
        while self.text[self.at] in " \t":
            self.at += 1
        first = self.text[self.at]
        if deep > _DEEPEST:
            raise _UnsureError
        if first in "'\"":
            return self.quoted()
        if first in "[{":
            self.at += 1
            return self.array(deep + 1) if first == "[" else self.inline(deep + 1)
        start = self.at
        while self.text[self.at] not in _AFTER_BARE:
            self.at += 1
        return _bare(self.text[start : self.at])

    def array(self, deep: int) -> list[Any]:
        items: list[Any] = []
        while self.text[self.skip(_BLANKS)] != "]":
            items.append(self.value(deep))
            if self.text[self.skip(_BLANKS)] == ",":
                self.at += 1
            elif self.text[self.at] != "]":
                raise _UnsureError
        self.at += 1
        return items

    def inline(self, deep: int) -> Table:
        """Commas stand between entries and not at the end, all on one line."""
        table: Table = {}
        mark = ","
        while mark == ",":
            self.pair(table, deep)
            while self.text[self.at] in " \t":
                self.at += 1
            mark = self.text[self.at]
            self.at += 1
        if mark != "}":
            raise _UnsureError
        return table


def _bare(word: str) -> bool | int | float:
    if word in ("true", "false"):
        return word == "true"
    whole, point, fraction = word.removeprefix("-").partition(".")
    digits = [*whole.split("_"), *fraction.split("_" if point else None)]
    is_plain = word.isascii() and all(map(str.isdigit, digits)) and (whole[0] != "0" or whole == "0")
    if not is_plain or len(word) > 18:
        raise _UnsureError
    return float(word) if point else int(word)

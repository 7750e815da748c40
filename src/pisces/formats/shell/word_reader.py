"""Reads the words of a shell line: quotes, expansions and substitutions, by the rules of bash.

Where dash would find another end of the same word, the line is unreadable: either shell may run it.
"""

from __future__ import annotations

import re

from pisces.formats.shell.syntax import (
    COMMAND_OUTPUT,
    DOUBLE,
    HOLE,
    PLAIN,
    RAW,
    READS_FROM,
    SINGLE,
    WRITES_TO,
    Arithmetic,
    Hole,
    Literal,
    ShellWord,
    Substitution,
    UnreadableLine,
    Variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    ReadT = TypeVar("ReadT")

    from pisces.formats.shell.syntax import Part, Script

BLANKS = " \t"
META = " \t\n;&|<>()"
_DEEPEST = 24
_NAME = re.compile(r"[A-Za-z_]\w*|\d|[@*#?$!_-]", re.ASCII)
_LONG_NAME = re.compile(r"[A-Za-z_]\w*|\d+|[@*#?$!_-]", re.ASCII)
_OPERATOR = re.compile(r"@[A-Za-z]?|:[-=?+]|:|[-=?+#%/^,~]?")
_ORDINARY = re.compile(r"[\w./:=,@%+-]*")  # means nothing anywhere
_ORDINARY_IN_DOUBLE = re.compile(r'[^"\\$`\0]*')
_BRACKETS = re.compile(r"[()\[\]]")
_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)")


class WordReader:
    """`numbers` are those of the holes in the text, in order. `contexts` has the quotes around each.

    `oddities` are things that this reader follows and that hide what a line does from people and from other readers.
    """

    def __init__(self, text: str, numbers: Sequence[int] = ()) -> None:
        self.text = text
        self.at = 0
        self.contexts: dict[int, str] = {}
        self.oddities: list[str] = []
        holes = [found.start() for found in re.finditer(HOLE, text)]
        self._numbers = dict(zip(holes, numbers, strict=True))
        self._depth = 0
        self._raw = 0
        self._matches: dict[int, int] | None = None

    def script(self, ends: Sequence[str]) -> Script:
        raise NotImplementedError

    def inner(self, text: str, numbers: Sequence[int]) -> WordReader:
        raise NotImplementedError

    # Characters

    def here(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def take(self, text: str) -> bool:
        found = self.text.startswith(text, self.at)
        self.at += len(text) * found
        return found

    def character(self) -> str:
        if self.at >= len(self.text):
            raise UnreadableLine("the line ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def hole(self, context: str) -> Hole:
        number = self._numbers[self.at - 1]
        self.contexts[number] = RAW if self._raw else context
        return Hole(number, self.contexts[number])

    def numbers_in(self, start: int, end: int) -> list[int]:
        return [self._numbers[place] for place in range(start, end) if self.text[place] == HOLE]

    def deeper(self, read: Callable[[], ReadT]) -> ReadT:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableLine("too many levels")
        found = read()
        self._depth -= 1
        return found

    # Words

    def word(self, stops: str = META) -> ShellWord:
        """The word that begins here; it may be empty."""
        parts: list[Part] = []
        while self.at < len(self.text):
            if self.text[self.at] in "<>" and self.text[self.at + 1 : self.at + 2] == "(":
                parts.append(self._process())
                continue
            if self.text[self.at] in stops:
                break
            parts += self._plain()
        if self.here("(") and parts and _ends_like_a_pattern(parts[-1]):
            raise UnreadableLine("an extended pattern")
        return ShellWord(tuple(_merged(parts)), _has_braces(parts))

    def _plain(self) -> list[Part]:
        here = self.character()
        if here == HOLE:
            return [self.hole(PLAIN)]
        if here == "\\":
            return self._escaped()
        if here == "'":
            return self._single()
        if here == '"':
            return self.double()
        return self._expansion(here, quoted=False)

    def _escaped(self) -> list[Part]:
        if self.at >= len(self.text):
            return [Literal("\\")]
        here = self.character()
        if here == HOLE:  # the first character of the words would lose what quotes it
            return [self.raw(lambda: [self.hole(PLAIN)])[0]]
        if here == "\n":
            self.oddities.append("a continuation inside a word")
            return []
        return [Literal(here, quoted=True)]

    def raw(self, read: Callable[[], list[Part]]) -> list[Part]:
        self._raw += 1
        parts = read()
        self._raw -= 1
        return parts

    def _single(self) -> list[Part]:
        end = self.text.find("'", self.at)
        if end < 0:
            raise UnreadableLine("a quote that never ends")
        return [*self.literally(end, SINGLE), *self._skipped(1)]

    def _skipped(self, count: int) -> list[Part]:
        self.at += count
        return []

    def literally(self, end: int, context: str) -> list[Part]:
        """Text up to a place, in which only holes mean anything."""
        parts: list[Part] = [Literal("", quoted=True)]
        while self.at < end:
            hole = self.text.find(HOLE, self.at, end)
            parts.append(Literal(self.text[self.at : end if hole < 0 else hole], quoted=True))
            self.at = end if hole < 0 else hole + 1
            if hole >= 0:
                parts.append(self.hole(context))
        return parts

    def double(self, end: str = '"') -> list[Part]:
        """Text between double quotes, and of a here-document, which has no end here."""
        parts: list[Part] = [Literal("", quoted=True)]
        while not (end and self.take(end)):
            if not end and self.at >= len(self.text):
                return parts
            if run := self._run(_ORDINARY_IN_DOUBLE):
                parts.append(Literal(run, quoted=True))
                continue
            here = self.character()
            if here == HOLE:
                parts.append(self.hole(DOUBLE))
            elif here == "\\":
                parts += self._escaped_in_double()
            else:
                parts += self._expansion(here, quoted=True)
        return parts

    def _escaped_in_double(self) -> list[Part]:
        if self.at >= len(self.text):
            return [Literal("\\", quoted=True)]
        here = self.character()
        if here == HOLE:
            return [Literal("\\", quoted=True), *self.raw(lambda: [self.hole(DOUBLE)])]
        if here == "\n":
            return []
        return [Literal(here if here in '$`"\\' else "\\" + here, quoted=True)]

    def _run(self, ordinary: re.Pattern[str]) -> str:
        found = ordinary.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[0] if found else ""

    # Expansions

    def _expansion(self, here: str, *, quoted: bool) -> list[Part]:
        if here == "`":
            return [self._backticks(quoted)]
        if here != "$":
            return [Literal(here + self._run(_ORDINARY), quoted)]
        if self.here("'") and not quoted:
            self.at += 1
            return self._ansi()
        if self.here('"') and not quoted:
            self.at += 1
            self.oddities.append('a text in `$"..."`')
            return self.double()
        return [self._dollar(quoted)]

    def _dollar(self, quoted: bool) -> Part:
        if self.here(HOLE):
            raise UnreadableLine("words behind a dollar sign")
        if self.here("((") and (end := self._arithmetic_end("((")) >= 0:
            return self._arithmetic(2, end, 2)
        if self.take("("):
            return Substitution(COMMAND_OUTPUT, self.deeper(self._closed_script), quoted)
        if self.here("[") and (end := self._arithmetic_end("[")) >= 0:
            return self._arithmetic(1, end, 1)
        if self.take("{"):
            return self.deeper(lambda: self._braced(quoted))
        name = _NAME.match(self.text, self.at)
        if not name:
            return Literal("$", quoted)
        self.at = name.end()
        return Variable(name[0], quoted)

    def _closed_script(self) -> Script:
        script = self.script((")",))
        if not self.take(")"):
            raise UnreadableLine("a bracket that never ends")
        return script

    def _process(self) -> Part:
        kind = READS_FROM if self.character() == "<" else WRITES_TO
        self.at += 1
        return Substitution(kind, self.deeper(self._closed_script), quoted=True)

    def _ansi(self) -> list[Part]:
        """dash ends such a text at another quote than bash if it holds an escaped one."""
        end = self.text.find("'", self.at)
        if end < 0 or "\\" in self.text[self.at : end]:
            raise UnreadableLine("a text in `$'...'` with escapes")
        self.oddities.append("a text in `$'...'`")
        return self.raw(lambda: [*self.literally(end, RAW), *self._skipped(1)])

    def _backticks(self, quoted: bool) -> Part:
        end = self.at
        while end < len(self.text) and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise UnreadableLine("a backtick that never ends")
        inner = self.text[self.at : end]
        numbers = self.numbers_in(self.at, end)
        self.at = end + 1
        text = re.sub(r'\\([$`\\"])' if quoted else r"\\([$`\\])", r"\1", inner)
        return Substitution(COMMAND_OUTPUT, self.deeper(lambda: self._apart(text, numbers)), quoted)

    def _apart(self, text: str, numbers: Sequence[int]) -> Script:
        """A script whose text is not to the letter in the line. No quotes of ours hold in it."""
        reader = self.inner(text, numbers)
        script = reader.script(())
        if reader.at < len(text):
            raise UnreadableLine("what is left behind a script")
        return script

    # Arithmetic and `${...}`

    def _arithmetic_end(self, opening: str) -> int:
        """Where the closing brackets stand; -1 where the brackets here are no arithmetic."""
        end = self._closing(self.at + len(opening) - 1)
        return end if opening == "[" or self.text.startswith("))", end) else -1

    def _closing(self, opening: int) -> int:
        """The bracket that closes the one at a place, whatever is quoted; -1 where none does.

        All are matched at once: a line of brackets that never close costs no more than any other.
        """
        if self._matches is None:
            self._matches = _matches(self.text)
        return self._matches.get(opening, -1)

    def _arithmetic(self, opening: int, end: int, closing: int) -> Arithmetic:
        self.at += opening
        parts = self.raw(lambda: self.deeper(lambda: self.parts_until(end)))
        self.at += closing
        return Arithmetic(tuple(parts))

    def command_arithmetic(self) -> Arithmetic:
        """`((...))` as a command."""
        end = self._arithmetic_end("((")
        if end < 0:
            raise UnreadableLine("brackets in brackets")
        return self._arithmetic(2, end, 2)

    def parts_until(self, end: int) -> list[Part]:
        parts: list[Part] = []
        while self.at < end:
            parts += self._plain()
        if self.at > end:
            raise UnreadableLine("quotes that end behind their bracket")
        return parts

    def _braced(self, quoted: bool) -> Part:
        if self.text[self.at : self.at + 1] in (" ", "\t", "\n", "|", HOLE, ""):
            raise UnreadableLine("a `${` that names no variable")
        indirect = self.here("!") and not self.text.startswith("!}", self.at)
        self.at += indirect
        is_length = self.here("#") and not self.text.startswith("#}", self.at)
        self.at += is_length
        name = _LONG_NAME.match(self.text, self.at)
        if not name:
            raise UnreadableLine("a `${` that names no variable")
        self.at = name.end()
        subscript = self.subscript() if self.here("[") else []
        operator = "" if self.here("}") else (_OPERATOR.match(self.text, self.at) or [""])[0]
        self.at += len(operator)
        inner = self.raw(lambda: self._until_brace(quoted))
        return Variable(name[0], quoted, operator, tuple(inner), tuple(subscript), indirect)

    def subscript(self) -> list[Part]:
        end = self._arithmetic_end("[")
        if end < 0:
            raise UnreadableLine("a subscript that never ends")
        return list(self._arithmetic(1, end, 1).parts)

    def _until_brace(self, quoted: bool) -> list[Part]:
        parts: list[Part] = []
        while not self.take("}"):
            if quoted and self.here("'"):
                raise UnreadableLine("single quotes in `${...}` between double quotes")
            parts += self._plain()
        return parts


def _merged(parts: Sequence[Part]) -> list[Part]:
    merged: list[Part] = []
    texts: list[str] = []
    for number, part in enumerate(parts):
        if not isinstance(part, Literal):
            merged.append(part)
            continue
        texts.append(part.text)
        after = parts[number + 1] if number + 1 < len(parts) else None
        if not (isinstance(after, Literal) and after.quoted == part.quoted):
            merged.append(Literal("".join(texts), part.quoted))
            texts.clear()
    return merged


def _matches(text: str) -> dict[int, int]:
    matches: dict[int, int] = {}
    waiting: dict[str, list[int]] = {")": [], "]": []}
    for found in _BRACKETS.finditer(text):
        if found[0] in "([":
            waiting[")" if found[0] == "(" else "]"].append(found.start())
        elif waiting[found[0]]:
            matches[waiting[found[0]].pop()] = found.start()
    return matches


def _has_braces(parts: Sequence[Part]) -> bool:
    plain = "".join(part.text if isinstance(part, Literal) and not part.quoted else "_" for part in parts)
    return bool(_BRACES.search(plain))


def _ends_like_a_pattern(part: Part) -> bool:
    return isinstance(part, Literal) and not part.quoted and part.text[-1:] in "?*+@!"

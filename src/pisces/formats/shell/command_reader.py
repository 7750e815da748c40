"""Reads simple commands of a shell line: assignments, words, redirections, here-documents and comments."""

from __future__ import annotations

import re

from pisces.formats.shell.syntax import (
    HOLE,
    PLAIN,
    RAW,
    Assignment,
    Hole,
    Literal,
    Redirect,
    ShellWord,
    Simple,
    UnreadableLine,
)
from pisces.formats.shell.word_reader import BLANKS, META, WordReader
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from pisces.formats.shell.syntax import Node

REDIRECT = re.compile(r"\d*(&>>|&>|<<<|<<-|<<|<&|<>|>>|>&|>\||<(?!\()|>(?!\())", re.ASCII)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\+?=|(?=\[))", re.ASCII)
_HERE_DOCUMENTS = ("<<", "<<-")
_MOST_WORDS = 10_000  # bounds the time that a line costs
_DECLARES = frozenset("declare typeset local export readonly".split())


class Awaited(Value):
    """A here-document whose body comes with the next line."""

    delimiter: str
    is_quoted: bool
    has_tabs: bool
    name: str


class CommandReader(WordReader):
    def __init__(self, text: str, numbers: Sequence[int] = ()) -> None:
        super().__init__(text, numbers)
        self.comments: set[int] = set()  # holes in comments
        self.lists: set[int] = set()  # holes that are words of their own where any number of words may stand
        self.bodies: dict[str, ShellWord] = {}  # of here-documents, by what the redirection has as its target
        self.ends: dict[str, str] = {}  # the word that ends each of them
        self.simples: list[Simple] = []  # all that were read so far, in any depth
        self._awaited: list[Awaited] = []
        self._count = [0]

    def inner(self, text: str, numbers: Sequence[int]) -> Self:
        """A reader of text that belongs to this line, but is not to the letter in it."""
        reader = type(self)(text, numbers)
        reader.contexts, reader.comments, reader.lists = self.contexts, self.comments, self.lists
        reader.bodies, reader.ends, reader._depth, reader._raw = self.bodies, self.ends, self._depth, 1
        reader.oddities, reader.simples, reader._count = self.oddities, self.simples, self._count
        return reader

    def function_body(self, name: str) -> Node:
        raise NotImplementedError

    # Blanks, comments and lines

    def blanks(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at] in BLANKS:
                self.at += 1
            elif self.here("\\\n"):
                self.at += 2
            elif self.here("#") and (self.at == 0 or self.text[self.at - 1] in META):
                self._comment()
            else:
                return

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        while (hole := self.text.find(HOLE, self.at, end)) >= 0:
            self.at = hole + 1
            self.comments.add(self.hole(RAW).number)
        self.at = end

    def blank_lines(self) -> None:
        self.blanks()
        while self.take("\n"):
            self._here_documents()
            self.blanks()

    def _here_documents(self) -> None:
        for each in self._awaited:
            self.bodies[each.name] = self._body(each)
        self._awaited.clear()

    def _body(self, wanted: Awaited) -> ShellWord:
        start = self.at
        while True:
            end = self.text.find("\n", self.at)
            line = self.text[self.at : len(self.text) if end < 0 else end]
            if (line.lstrip("\t") if wanted.has_tabs else line) == wanted.delimiter:
                break
            if end < 0:
                raise UnreadableLine("a here-document that never ends")
            self.at = end + 1
        body = self.text[start : self.at]
        self.at += len(line)
        reader = self.inner(body, self.numbers_in(start, start + len(body)))
        return ShellWord(tuple(reader.literally(len(body), RAW) if wanted.is_quoted else reader.double("")))

    def listed(self, word: ShellWord) -> ShellWord:
        part = word.parts[0]
        if len(word.parts) == 1 and isinstance(part, Hole) and part.context == PLAIN:
            self.lists.add(part.number)
        return word

    def _counted(self) -> None:
        self._count[0] += 1
        if self._count[0] > _MOST_WORDS:
            raise UnreadableLine("too many words")

    def some_word(self) -> ShellWord:
        self._counted()
        start = self.at
        word = self.word()
        if self.at == start:
            raise UnreadableLine("no word where one must be")
        return word

    # Simple commands

    def simple(self) -> Node:
        self._counted()
        start = self.at
        assignments: list[Assignment] = []
        words: list[ShellWord] = []
        redirects: list[Redirect] = []
        while True:
            self.blanks()
            if self.at >= len(self.text) or (self.text[self.at] in META and not self._begins_more()):
                break
            if REDIRECT.match(self.text, self.at):
                redirects.append(self.redirect())
                continue
            is_declared = bool(words) and literal(words[0]) in _DECLARES
            assigned = self._assignment() if is_declared or not words else None
            if assigned:
                assignments.append(assigned.replace(is_argument=True) if words else assigned)
                continue
            words.append(self.listed(self.some_word()))
            if self.here("("):
                return self._definition(words, assignments, redirects)
            if re.match(r"\{\w+\}\Z", literal(words[-1])) and self.text[self.at : self.at + 1] in ("<", ">"):
                raise UnreadableLine("a redirection that names a variable")
        if not (assignments or words or redirects):
            raise UnreadableLine("no command where one must be")
        text = self.text[start : self.at].strip(" \t\n")
        self.simples.append(Simple(tuple(assignments), tuple(words), tuple(redirects), text))
        return self.simples[-1]

    def _begins_more(self) -> bool:
        return bool(REDIRECT.match(self.text, self.at)) or self.here("<(") or self.here(">(")

    def _definition(self, words: list[ShellWord], assignments: list[Assignment], redirects: list[Redirect]) -> Node:
        name = literal(words[-1])
        self.at += 1
        self.blanks()
        if len(words) != 1 or assignments or redirects or not name or not self.take(")"):
            raise UnreadableLine("a bracket where no command begins")
        return self.function_body(name)

    def _assignment(self) -> Assignment | None:
        found = _ASSIGNMENT.match(self.text, self.at)
        if not found:
            return None
        start, self.at = self.at, found.end()
        subscript = self.subscript() if self.here("[") else []
        if subscript and not (self.take("+=") or self.take("=")):
            if not all(isinstance(part, Literal) for part in subscript):
                raise UnreadableLine("a subscript that assigns nothing")
            self.at = start
            return None
        if self.take("("):
            return Assignment(found[1], None, tuple(subscript), tuple(self._items()))
        return Assignment(found[1], self.word(), tuple(subscript))

    def _items(self) -> list[ShellWord]:
        items = []
        self.blank_lines()
        while not self.take(")"):
            items.append(self.listed(self.some_word()))
            self.blank_lines()
        return items

    def redirect(self) -> Redirect:
        found = REDIRECT.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        while self.at < len(self.text) and self.text[self.at] in BLANKS:
            self.at += 1
        start = self.at
        if found[1] in ("<&", ">&") and self.take("-"):  # bash ends the word here, dash does not
            if self.at < len(self.text) and self.text[self.at] not in META:
                self.oddities.append("a word behind a descriptor that is closed")
            return Redirect(found[1], ShellWord((Literal("-"),)))
        target = self.some_word()
        if found[1] not in _HERE_DOCUMENTS:
            return Redirect(found[1], target)
        delimiter = literal(target)
        if not delimiter or HOLE in self.text[start : self.at]:
            raise UnreadableLine("a here-document without a plain end")
        is_quoted = any(isinstance(part, Literal) and part.quoted for part in target.parts)
        name = str(len(self.bodies))
        self.bodies[name] = ShellWord(())
        self.ends[name] = delimiter
        self._awaited.append(Awaited(delimiter, is_quoted, found[1] == "<<-", name))
        return Redirect(found[1], ShellWord((Literal(name),)), is_quoted)


def literal(word: ShellWord) -> str:
    """The text of a word without expansions, else nothing."""
    if all(isinstance(part, Literal) for part in word.parts):
        return "".join(part.text for part in word.parts if isinstance(part, Literal))
    return ""

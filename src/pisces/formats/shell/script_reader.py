"""Reads a whole shell line: pipelines, lists, loops, conditions and functions."""

from __future__ import annotations

import re

from pisces.formats.shell.command_reader import REDIRECT, CommandReader
from pisces.formats.shell.syntax import (
    Calculation,
    Case,
    Compound,
    Condition,
    Function,
    Literal,
    Loop,
    Redirect,
    Script,
    ShellWord,
    Simple,
    UnreadableLine,
)
from pisces.formats.shell.word_reader import META

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.formats.shell.syntax import Node

_RESERVED = re.compile(r"(?:\[\[|!|\{|\}|[a-z]+)(?=[ \t\n;&|<>()]|\Z)")
_NAMED = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_TIME_PROGRAM = re.compile(r"time[ \t]+-(?!p\s|-\s)")  # the program of that name has other options
_TIME_OPTION = re.compile(r"(?:-p|--)(?=\s)")
_OPERATOR = re.compile(r"&&|\|\||[()<>]")
_CLOSING = frozenset("then else elif fi do done esac }".split())


class ScriptReader(CommandReader):
    def whole(self) -> Script:
        script = self.script(())
        if self.at < len(self.text) or self._awaited:
            raise UnreadableLine("what is left behind the line")
        return script

    def script(self, ends: Sequence[str]) -> Script:
        """Pipelines up to an operator of `ends` or a word that closes."""
        pipelines: list[tuple[Node, ...]] = []
        in_background = is_open = False
        waiting = len(self._awaited)
        while True:
            self.blank_lines()
            if self.at >= len(self.text) or any(map(self.here, ends)) or self._reserved() in _CLOSING:
                break
            pipelines.append(self._pipeline())
            self.blanks()
            if self.take("&&") or self.take("||"):
                is_open = True
                continue
            is_open = False
            in_background = in_background or self.here("&")
            if not self._separator():
                break
        if is_open:
            raise UnreadableLine("no command behind `&&` or `||`")
        if len(self._awaited) != waiting and ends == (")",):
            raise UnreadableLine("a here-document that begins within brackets")
        return Script(tuple(pipelines), in_background)

    def _separator(self) -> bool:
        if self.here(";;") or self.here(";&"):
            return False
        return self.take(";") or self.take("&") or self.here("\n")

    # Commands

    def _pipeline(self) -> tuple[Node, ...]:
        nodes: list[Node] = []
        while True:
            self.blank_lines()
            nodes.append(self._command())
            self.blanks()
            if self.here("||") or not (self.take("|&") or self.take("|")):
                return tuple(nodes)

    def _reserved(self) -> str:
        found = _RESERVED.match(self.text, self.at)
        return found[0] if found else ""

    def _word_of(self, *wanted: str) -> str:
        """A reserved word that must stand here."""
        self.blank_lines()
        found = self._reserved()
        if found not in wanted:
            raise UnreadableLine(f"no {wanted[0]}")
        self.at += len(found)
        return found

    def _command(self) -> Node:
        if self._reserved() == "time" and not _TIME_PROGRAM.match(self.text, self.at):
            return self._timed()
        while (word := self._reserved()) == "!":
            self.at += len(word)
            self.blanks()
        if word in ("select", "coproc"):
            raise UnreadableLine(word)
        if word in _COMPOUNDS:
            self.at += len(word)
            return self._redirected(_COMPOUNDS[word](self))
        if self.here("(("):
            return self._redirected(Calculation(self.command_arithmetic()))
        if self.take("("):
            return self._redirected(Compound((self.deeper(self._closed_script),), is_group=True))
        return self.simple()

    def _timed(self) -> Node:
        """`time` before a pipeline is no program: it measures what follows."""
        self.at += len("time")
        self.blanks()
        while option := _TIME_OPTION.match(self.text, self.at):
            self.at = option.end()
            self.blanks()
        node = self.deeper(self._command)
        return Compound((Script(((node,),)),), is_timed=True)

    def _redirected(self, node: Node) -> Node:
        if isinstance(node, Function):
            return node
        redirects: list[Redirect] = []
        self.blanks()
        while REDIRECT.match(self.text, self.at):
            redirects.append(self.redirect())
            self.blanks()
        return node.replace(redirects=tuple(redirects)) if redirects else node

    def _group(self) -> Node:
        script = self.deeper(lambda: self.script(()))
        self._word_of("}")
        return Compound((script,), is_group=True)

    def _if(self) -> Node:
        scripts = []
        while True:
            scripts.append(self.deeper(lambda: self.script(())))
            if self._word_of("then", "else", "elif", "fi") == "fi":
                return Compound(tuple(scripts))

    def _while(self) -> Node:
        condition = self.deeper(lambda: self.script(()))
        self._word_of("do")
        return Compound((condition, self._done()))

    def _done(self) -> Script:
        body = self.deeper(lambda: self.script(()))
        self._word_of("done")
        return body

    def _for(self) -> Node:
        self.blanks()
        if self.here("(("):
            expression = self.command_arithmetic()
            self._to_do()
            return Calculation(expression, self._done())
        name = _NAMED.match(self.text, self.at)
        if not name:
            raise UnreadableLine("a loop without a name")
        self.at = name.end()
        self.blank_lines()
        words = None
        if self._reserved() == "in":
            self.at += 2
            words = tuple(self._words())
        self._to_do()
        return Loop(name[0], words, self._done())

    def _to_do(self) -> None:
        self.blanks()
        self.take(";")
        self._word_of("do")

    def _words(self) -> list[ShellWord]:
        """Words up to the end of the command."""
        words = []
        self.blanks()
        while self.at < len(self.text) and self.text[self.at] not in "\n;&|)":
            words.append(self.listed(self.some_word()))
            self.blanks()
        return words

    def _case(self) -> Node:
        self.blanks()
        subject = self.some_word()
        self._word_of("in")
        patterns: list[ShellWord] = []
        bodies: list[Script] = []
        while True:
            self.blank_lines()
            if self._reserved() == "esac":
                self.at += 4
                return Case(subject, tuple(patterns), tuple(bodies))
            self.take("(")
            patterns += self._patterns()
            bodies.append(self.deeper(lambda: self.script((";;", ";&"))))
            self.blank_lines()
            if not (self.take(";;&") or self.take(";;") or self.take(";&")) and self._reserved() != "esac":
                raise UnreadableLine("a case that never ends")

    def _patterns(self) -> list[ShellWord]:
        patterns = []
        while True:
            self.blanks()
            patterns.append(self.some_word())
            self.blanks()
            if self.take(")"):
                return patterns
            if not self.take("|"):
                raise UnreadableLine("a pattern that never ends")

    def _condition(self) -> Node:
        words: list[ShellWord] = []
        while True:
            self.blank_lines()
            if self._reserved() == "" and self.text.startswith("]]", self.at):
                self.at += 2
                return Condition(tuple(words))
            operator = _OPERATOR.match(self.text, self.at)
            if operator and not (self.here("<(") or self.here(">(")):
                self.at = operator.end()
                words.append(ShellWord((Literal(operator[0]),)))
                continue
            is_expression = bool(words) and words[-1] == ShellWord((Literal("=~"),))
            start = self.at
            words.append(self.word(" \t\n" if is_expression else META))
            if self.at == start:
                raise UnreadableLine("a condition that cannot be read")

    def _function(self) -> Node:
        self.blanks()
        name = _NAMED.match(self.text, self.at)
        if not name:
            raise UnreadableLine("a function without a name")
        self.at = name.end()
        self.blanks()
        if self.take("("):
            self.blanks()
            if not self.take(")"):
                raise UnreadableLine("a function with something in its brackets")
        return self.function_body(name[0])

    def function_body(self, name: str) -> Node:
        self.blank_lines()
        body = self.deeper(self._command)
        if isinstance(body, Simple | Function):
            raise UnreadableLine("a function without a group")
        return Function(name, body)


_COMPOUNDS = {
    "{": ScriptReader._group,
    "if": ScriptReader._if,
    "while": ScriptReader._while,
    "until": ScriptReader._while,
    "for": ScriptReader._for,
    "case": ScriptReader._case,
    "[[": ScriptReader._condition,
    "function": ScriptReader._function,
}
KEYWORDS = frozenset((*_COMPOUNDS, *_CLOSING, "in", "!", "time", "select", "coproc"))

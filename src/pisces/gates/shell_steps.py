"""The simple commands of a shell line that was read, in any depth, each with what the shell sets up for it."""

from __future__ import annotations

import re

from pisces.formats.shell.syntax import (
    Arithmetic,
    Calculation,
    Case,
    Compound,
    Condition,
    Function,
    Literal,
    Loop,
    ShellWord,
    Simple,
    Substitution,
    Variable,
)
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.formats.shell.syntax import Assignment, Node, Part, Redirect, Script

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_COMPARES = frozenset("-eq -ne -lt -le -gt -ge".split())
HERE_DOCUMENTS = ("<<", "<<-")


class Step(Value):
    """`redirects` are its own and those of the groups around it. `before` is what fills its stdin by a pipe.

    `is_timed` is set behind `time`.
    """

    node: Simple | Condition | Calculation
    redirects: tuple[Redirect, ...]
    before: Node | None
    is_timed: bool = False


class Steps:
    """`values` are the texts that each variable may get somewhere in the line; None among them is any other text."""

    def __init__(self, bodies: Mapping[str, ShellWord]) -> None:
        self.steps: list[Step] = []
        self.functions: set[str] = set()
        self.values: dict[str, list[ShellWord | None]] = {}
        self.has_hidden_text = False  # quotes keep a substitution from the shell, but not from a calculation
        self.calculated: set[str] = set()  # names in expressions, and a word that is none where there is an expression
        self.looped: set[str] = set()  # variables that loops set
        self.has_groups = False
        self._bodies = bodies
        self._is_timed = False

    def script(self, script: Script, redirects: tuple[Redirect, ...] = ()) -> None:
        self.has_groups = self.has_groups or script.in_background
        for pipeline in script.pipelines:
            before: Node | None = None
            for node in pipeline:
                self._node(node, redirects, before)
                before = node

    def _node(self, node: Node, redirects: tuple[Redirect, ...], before: Node | None) -> None:
        is_group = isinstance(node, Function | Case) or (isinstance(node, Compound) and node.is_group)
        self.has_groups = self.has_groups or is_group
        if isinstance(node, Function):
            self.functions.add(node.name)
            self._node(node.body, redirects, None)
            return
        self._redirects(node.redirects)
        redirects = (*redirects, *node.redirects)
        if isinstance(node, Simple):
            self._assignments(node.assignments)
            self._words(node.words)
            self.steps.append(Step(node, redirects, before, self._is_timed))
        elif isinstance(node, Compound):
            is_timed, self._is_timed = self._is_timed, self._is_timed or node.is_timed
            for script in node.scripts:
                self.script(script, redirects)
            self._is_timed = is_timed
        elif isinstance(node, Loop):
            self._words(node.words or ())
            self.looped.add(node.name)
            self.values.setdefault(node.name, []).extend(node.words if node.words is not None else (None,))
            self.script(node.body, redirects)
        elif isinstance(node, Case):
            self._words((node.subject, *node.patterns))
            for script in node.bodies:
                self.script(script, redirects)
        else:
            self._test(node, redirects)

    def _test(self, node: Condition | Calculation, redirects: tuple[Redirect, ...]) -> None:
        if isinstance(node, Condition):
            self._words(node.words)
            texts = [part.text for word in node.words for part in word.parts if isinstance(part, Literal)]
            if _COMPARES.intersection(texts):
                self._calculate([part for word in node.words for part in word.parts])
        else:
            self._parts((node.expression,))
        self.steps.append(Step(node, redirects, None))
        if isinstance(node, Calculation) and node.body:
            self.script(node.body, redirects)

    def _assignments(self, assignments: Iterable[Assignment]) -> None:
        for each in assignments:
            self._parts(each.subscript)
            self._words(each.items if each.value is None else (each.value,))
            values = self.values.setdefault(each.name, [])
            values.append(None if each.subscript else each.value)
            values += each.items

    def _redirects(self, redirects: Iterable[Redirect]) -> None:
        self._words(self.body(each) for each in redirects)

    def body(self, redirect: Redirect) -> ShellWord:
        """The file of a redirection, or the text that it brings along."""
        if redirect.operator not in HERE_DOCUMENTS:
            return redirect.target
        part = redirect.target.parts[0]
        return self._bodies[part.text] if isinstance(part, Literal) else redirect.target

    def _words(self, words: Iterable[ShellWord]) -> None:
        for word in words:
            self._parts(word.parts)

    def _parts(self, parts: Iterable[Part]) -> None:
        for part in parts:
            if isinstance(part, Literal):
                hides = part.quoted and ("$(" in part.text or "`" in part.text or "${" in part.text)
                self.has_hidden_text = self.has_hidden_text or hides
            elif isinstance(part, Substitution):
                self.script(part.script)
            elif isinstance(part, Variable):
                self._parts((*part.subscript, *part.inner))
                if part.subscript or part.operator == ":":
                    self._calculate((*part.subscript, *part.inner))
                if part.operator in ("=", ":="):
                    self.values.setdefault(part.name, []).append(ShellWord(part.inner))
            elif isinstance(part, Arithmetic):
                self._calculate(part.parts)
                self._parts(part.parts)

    def _calculate(self, parts: Iterable[Part]) -> None:
        self.calculated.add("")
        for part in parts:
            if isinstance(part, Literal):
                self.calculated.update(_NAME.findall(part.text))
            elif isinstance(part, Variable):
                self.calculated.add(part.name)


def steps_of(script: Script, bodies: Mapping[str, ShellWord]) -> Steps:
    steps = Steps(bodies)
    steps.script(script)
    return steps

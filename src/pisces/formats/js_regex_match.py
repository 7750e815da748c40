"""Matches texts by somebody's JavaScript regular expression in time linear in the text: no backtracking.

The pattern becomes an automaton with several current states (Thompson), and each set of states is computed once. A
look-around becomes an automaton of its own that runs over the whole text before the one that asks for it. What cannot
be decided in linear time is not decided: `js_pattern` returns None, and the caller takes the careful answer.
"""

from __future__ import annotations

from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_tree import (
    WORD,
    Alternatives,
    At,
    LookAround,
    NotRegularError,
    Repeat,
    Sequence,
    Unit,
    tree,
    units,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.formats.js_regex_tree import Node, Ranges

    State = tuple[str, int, int]  # what it does, then its two numbers
    States = frozenset[int]

_NESTED_QUANTIFIER = r"\([^)]*[*+?{].*\)[*+?{]"
LONGEST_SAFE = 2048
_LARGEST = 5000  # parts, with every repetition written out
_DEEPEST = 120
_MOST_STEPS = 20_000  # that are remembered


def js_pattern(pattern: str) -> JsPattern | None:
    """None where JavaScript refuses the pattern, and where no linear matcher can decide."""
    if regex_flaw(pattern):
        return None
    try:
        return JsPattern(tree(pattern))
    except NotRegularError:
        return None


def is_dangerous(pattern: str) -> bool:
    """Gemini's guard against patterns that can take for ever: too long, or a quantifier on a quantified group."""
    if len(units(pattern)) > LONGEST_SAFE:
        return True
    nested = js_pattern(_NESTED_QUANTIFIER)
    return nested is not None and nested.search(pattern)


class JsPattern:
    def __init__(self, node: Node) -> None:
        self._automaton = _Automaton(node, [_LARGEST], 0)

    def search(self, text: str) -> bool:
        """Whether some part of the text matches, as `RegExp.prototype.test` says."""
        return any(self._automaton.ends(units(text)))


class _Automaton:
    """`states[n]` is what state n does; state 0 accepts. A backwards one reads the text from its end.

    `budget` is shared with the automata of look-arounds. It is one number: how many parts may still be added.
    """

    def __init__(self, node: Node, budget: list[int], depth: int, backwards: bool = False) -> None:
        self.states: list[State] = [("accept", 0, 0)]
        self.ranges: list[Ranges] = []
        self.assertions: list[tuple[At | LookAround, _Automaton | None]] = []
        self.budget, self.backwards = budget, backwards
        self.start = self.add(node, 0, depth)
        self.steps: dict[tuple[States, bytes, str], tuple[bool, States]] = {}

    def ends(self, text: str) -> bytearray:
        """One flag for each position of the text: does a match end there? (Backwards: does one start there?)"""
        held = [_positions(*each, text) for each in self.assertions]
        found, states = bytearray(len(text) + 1), frozenset[int]()
        for at in reversed(range(len(text) + 1)) if self.backwards else range(len(text) + 1):
            unit = text[max(at - 1, 0) : at] if self.backwards else text[at : at + 1]
            key = states, bytes(each[at] for each in held), unit
            step = self.steps.get(key)
            if step is None:
                if len(self.steps) > _MOST_STEPS:
                    self.steps.clear()
                step = self.steps[key] = self.step(*key)
            found[at], states = step
        return found

    def step(self, states: States, held: bytes, unit: str) -> tuple[bool, States]:
        """Whether one of the states accepts here, and the states after the unit. A match may start anywhere."""
        seen, waiting, following = set(states) | {self.start}, [*states, self.start], set()
        while waiting:
            what, first, second = self.states[waiting.pop()]
            if what == "unit":
                if unit and any(low <= ord(unit) <= high for low, high in self.ranges[first]):
                    following.add(second)
                continue
            nexts = (first, second) if what == "split" else (second,) if what == "assert" and held[first] else ()
            for state in nexts:
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
        return 0 in seen, frozenset(following)

    def add(self, node: Node, following: int, depth: int) -> int:
        """The state at which the node starts; `following` comes after it."""
        self.budget[0] -= 1
        if depth > _DEEPEST or self.budget[0] < 0:
            raise NotRegularError
        if isinstance(node, Unit):
            self.ranges.append(node.ranges)
            return self.state("unit", len(self.ranges) - 1, following)
        if isinstance(node, Sequence):
            for part in node.parts if self.backwards else reversed(node.parts):
                following = self.add(part, following, depth + 1)
            return following
        if isinstance(node, Alternatives):
            first, *others = [self.add(part, following, depth + 1) for part in node.parts]
            for other in others:
                first = self.state("split", other, first)
            return first
        if isinstance(node, Repeat):
            return self.repeat(node, following, depth + 1)
        inner = _Automaton(node.part, self.budget, depth + 1, node.ahead) if isinstance(node, LookAround) else None
        if (node, None) not in self.assertions:
            self.assertions.append((node, inner))
        number = self.assertions.index((node, None)) if isinstance(node, At) else len(self.assertions) - 1
        return self.state("assert", number, following)

    def repeat(self, node: Repeat, following: int, depth: int) -> int:
        start = following
        if node.most is None:
            start = self.state("split", following, following)
            self.states[start] = ("split", self.add(node.part, start, depth), following)
        else:
            for _ in range(node.most - node.least):
                start = self.state("split", self.add(node.part, start, depth), following)
        for _ in range(node.least):
            start = self.add(node.part, start, depth)
        return start

    def state(self, what: str, first: int, second: int) -> int:
        self.states.append((what, first, second))
        return len(self.states) - 1


def _positions(node: At | LookAround, inner: _Automaton | None, text: str) -> bytes | bytearray:
    """One flag for each position of the text: does the assertion hold there?"""
    if isinstance(node, LookAround):
        found = inner.ends(text) if inner else bytearray()
        return found.translate(bytes((1, 0)) + bytes(254)) if node.negated else found
    if node.what == "^":
        return bytes((1,)) + bytes(len(text))
    if node.what == "$":
        return bytes(len(text)) + bytes((1,))
    words = [False, *(any(low <= ord(unit) <= high for low, high in WORD) for unit in text), False]
    return bytes((words[at] != words[at + 1]) == (node.what == "b") for at in range(len(text) + 1))

"""Rules about the commands of a shell line, the strictest counts: any denied command denies the line.

A line is allowed only if a rule allows every command in it, to the letter, and all that it runs can be read.
"""

from __future__ import annotations

from pisces.gates.command_match import NO, YES, is_readable, plain_texts, prefix_match
from pisces.gates.leaving_words import leave
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.formats.js_regex_match import JsPattern
    from pisces.gates.command_match import Words
    from pisces.shapes.shell_line import LineCommand, ShellLine

CANNOT_READ = "what it runs cannot be read from the text"
REDIRECTS = "it redirects input or output"
_STRICTNESS = {ALLOW: 0, "": 1, ASK: 2, DENY: 3}


class LineRule(Value):
    """`words` begin the command, `pattern` is found in its text; a rule with neither is about every command.

    `programs` are the paths under which an allow rule accepts its program; None if the path does not matter.
    `bound_to` are a folder and its workspace, which no word behind `words` may leave.
    """

    decision: str
    who: str
    words: Words = ()
    why: str = ""
    pattern: JsPattern | None = None
    programs: tuple[str, ...] | None = ()
    bound_to: tuple[str, str] | None = None

    def fit(self, command: LineCommand) -> int:
        fit = prefix_match(self.words, command) if self.words else YES
        if fit == NO or self.pattern is None:
            return fit
        if any(map(self.pattern.search, plain_texts(command))):
            return fit
        return NO if command.is_plain and None not in command.words else 1

    def is_exact(self, command: LineCommand) -> bool:
        """Whether the words are these without any doubt, and nothing before them changes what they do."""
        given = command.words
        first = given[0] if given else None
        if first is None or not command.is_plain or command.assigned or command.patterns:
            return False
        if not command.wrappers and not command.text.startswith(first):
            return False  # quotes or a backslash in the name of the program
        if first.startswith("/") and (self.programs is None or first in self.programs):
            given = (command.name, *given[1:])
        if len(given) < len(self.words):
            return False
        if any(word not in fits for word, fits in zip(given, self.words)):  # noqa: B905  # a prefix
            return False
        if self.bound_to and leave(command.name, given[len(self.words) :], *self.bound_to):
            return False
        return self.pattern is None or (None not in given and self.pattern.search(" ".join(map(str, given))))

    @property
    def first_words(self) -> tuple[str, ...]:
        return self.words[0] if self.words else ()


class Decided(Value):
    """`rule` gave the decision, which is empty where no rule speaks; `why` says more."""

    decision: str = ""
    rule: LineRule | None = None
    why: str = ""
    command: LineCommand | None = None


class LineRules:
    """Compiled once: a command meets only the rules that begin with its name, and those about every command."""

    def __init__(self, rules: Iterable[LineRule]) -> None:
        self.every = tuple(rules)
        self._general = tuple(rule for rule in self.every if not rule.words)
        self._by_name: dict[str, list[LineRule]] = {}
        for rule in self.every:
            for name in rule.first_words:
                self._by_name.setdefault(name, []).append(rule)
        self._narrows = any(rule.decision != ALLOW for rule in self.every)

    def decided(self, line: ShellLine) -> Decided:
        found = [self._on(command) for command in line.commands]
        strictest = max(found, key=lambda each: _STRICTNESS[each.decision], default=Decided())
        if strictest.decision == DENY:
            return strictest
        if line.problem or not any(command.words for command in line.commands):
            return strictest.replace(decision=ASK, why=line.problem or CANNOT_READ) if self._narrows else Decided()
        if strictest.decision != ALLOW:
            return strictest
        if not is_readable(line):
            return strictest.replace(decision=ASK, why=CANNOT_READ)
        has_redirect = any(command.redirects for command in line.commands)
        if has_redirect or (line.is_compound and ("<" in line.text or ">" in line.text)):
            return strictest.replace(decision=ASK, why=REDIRECTS)
        return strictest

    def _on(self, command: LineCommand) -> Decided:
        found = []
        for rule in self._about(command):
            fit = rule.fit(command)
            if fit == NO or (rule.decision == ALLOW and not (fit == YES and rule.is_exact(command))):
                continue
            is_sure = fit == YES
            found.append(Decided(rule.decision if is_sure else ASK, rule, "" if is_sure else CANNOT_READ, command))
        return max(found, key=lambda each: _STRICTNESS[each.decision], default=Decided())

    def _about(self, command: LineCommand) -> Iterable[LineRule]:
        names = {each[0] for each in (command.words, *command.readings) if each}
        if not command.is_plain or None in names:
            return self.every
        every = dict.fromkeys(name for each in names if each for name in (each, each.rpartition("/")[2]))
        return (*(rule for name in every for rule in self._by_name.get(name, ())), *self._general)

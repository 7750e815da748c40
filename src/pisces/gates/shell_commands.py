"""Collects the commands of a shell line, also those that other commands start, and what cannot be read of them."""

from __future__ import annotations

import re

from pisces.formats.shell.script_reader import KEYWORDS, ScriptReader
from pisces.formats.shell.syntax import HOLE, Condition, Script, Simple, UnreadableLine
from pisces.gates.shell_readings import forms_of, variants_of
from pisces.gates.shell_rough import rough_commands
from pisces.gates.shell_started import Stdin, started_by
from pisces.gates.shell_steps import steps_of
from pisces.gates.shell_words import hides_a_program, is_pattern, word_text
from pisces.processes.blocked_env import is_blocked_in_line
from pisces.shapes.shell_line import LineCommand, LineRedirect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.formats.shell.syntax import Assignment, Redirect, ShellWord
    from pisces.gates.shell_started import InnerCommand
    from pisces.gates.shell_steps import Step, Steps
    from pisces.gates.shell_words import Words

_LONGEST = 200_000  # characters; a line that writes a whole file is long
_MOST = 4000
_MOST_READINGS = 64
_DEEPEST = 8
_HERE = ("<<", "<<-", "<<<")
# They change what later words mean, or where programs are found.
_CHANGES_WORDS = frozenset("alias unalias enable hash bind complete".split())
# They calculate: `a[$(c)]` in what they get runs `c`, whatever quotes are around it.
_CALCULATES = frozenset("test [ [[ (( let declare typeset local export readonly unset printf read mapfile wait".split())
_FILLS = frozenset("read mapfile readarray getopts".split())
# Most lines: words of signs that mean nothing to a shell. They need no reader.
_SIMPLE = re.compile(r" *[\w./+%@:,-]+(?: +[\w./:=,@%+-]+)* *", re.ASCII)


class Commands:
    """`problems` are reasons why no rule may allow the line."""

    def __init__(self, depth: int = 0) -> None:
        self.commands: list[LineCommand] = []
        self.problems: list[str] = []
        self.has_groups = False
        self._depth = depth

    def add_script(self, text: str, wrappers: tuple[str, ...] = (), *, is_plain: bool = True) -> bool:
        """Whether the text is one simple command."""
        if not text.strip():
            return False
        if _SIMPLE.fullmatch(text) and is_plain and _is_no_keyword(text):
            self._command(LineCommand(tuple(text.split()), text.strip(), wrappers), None)
            return True
        self._depth += 1
        reader = ScriptReader(text if HOLE not in text else "")
        try:
            return self._add_read(text, reader, wrappers, is_plain=is_plain)
        except (UnreadableLine, RecursionError) as flaw:
            self.problems.append(str(flaw) if isinstance(flaw, UnreadableLine) else "too many levels")
            self._add_what_was_read(text, reader, wrappers)
            return False
        finally:
            self._depth -= 1

    def _add_what_was_read(self, text: str, reader: ScriptReader, wrappers: tuple[str, ...]) -> None:
        """The commands before the place that cannot be read, and everything that looks like one."""
        steps = steps_of(Script(tuple((each,) for each in reader.simples)), reader.bodies)
        read = [_line_command(each, steps, wrappers, is_plain=False) for each in steps.steps]
        for command in (*read, *rough_commands(text[:_LONGEST], wrappers)):
            if len(self.commands) < _MOST:
                self._command(command, None)

    def add_words(self, words: Words, text: str) -> None:
        """A command whose words are known, and what it starts."""
        self._command(LineCommand(words, text, is_plain=bool(words and words[0])), None)

    def _add_read(self, text: str, reader: ScriptReader, wrappers: tuple[str, ...], *, is_plain: bool) -> bool:
        script = self._read(text, reader)
        self.problems += reader.oddities
        steps = steps_of(script, reader.bodies)
        self.has_groups = self.has_groups or steps.has_groups
        for step in steps.steps:
            command = _line_command(step, steps, wrappers, is_plain=is_plain)
            if step.is_timed:
                self.commands.append(command.replace(words=("time", *command.words), readings=(), patterns=()))
                command = command.replace(wrappers=(*wrappers, "time"))
            self._command(command, _stdin(step, steps))
        names = {each.name for each in self.commands if each.name != "printf" or "-v" in each.words}
        if _calculates_text(steps, names):
            self.problems.append("a text that the shell may calculate")
        if any(map(is_blocked_in_line, steps.looped)):
            self.problems.append("a variable that changes how programs start")
        if names & steps.functions or names & _CHANGES_WORDS:
            self.problems.append("words whose meaning the line changes")
        pipelines = script.pipelines
        return len(pipelines) == 1 and len(pipelines[0]) == 1 and isinstance(pipelines[0][0], Simple)

    def _read(self, text: str, reader: ScriptReader) -> Script:
        if self._depth > _DEEPEST:
            raise UnreadableLine("too many levels")
        if len(text) > _LONGEST or HOLE in text:
            raise UnreadableLine("it is too long" if len(text) > _LONGEST else "a control character")
        return reader.whole()

    def _command(self, command: LineCommand, stdin: Stdin | None) -> None:
        if len(self.commands) >= _MOST:
            raise UnreadableLine("too many commands")
        started = started_by(command.words, stdin)
        is_plain = command.is_plain and not any(each.is_unknown for each in started)
        readings = dict.fromkeys(self._readings(command))
        readings.pop(command.words, None)
        self.commands.append(command.replace(is_plain=is_plain, readings=tuple(readings)[:_MOST_READINGS]))
        for each in started:
            if not each.is_unknown:
                self._started(each, command)

    def _started(self, started: InnerCommand, command: LineCommand) -> None:
        wrappers = (*command.wrappers, command.name)
        if len(wrappers) > _DEEPEST:
            self.problems.append("too many levels")
            return
        is_plain = command.is_plain and started.is_plain
        if started.script is not None:
            self.add_script(started.script, wrappers, is_plain=is_plain)
            return
        assigned = (*command.assigned, *started.assigned)
        is_plain = is_plain and bool(started.words[0])
        self._command(LineCommand(started.words, command.text, wrappers, assigned, command.redirects, is_plain), None)

    def _readings(self, command: LineCommand) -> Iterator[Words]:
        """`readings` of the command are so far the variants of its own words."""
        yield from forms_of(command.words)
        if not command.readings or self._depth > _DEEPEST:
            return
        inner = Commands(self._depth + 1)
        for variant in command.readings:
            inner._command(LineCommand(variant, ""), None)
        for each in inner.commands:
            yield each.words
            yield from each.readings


def _calculates_text(steps: Steps, names: set[str]) -> bool:
    """`a[$(c)]` runs `c` where the shell calculates with it, wherever that text comes from."""
    if steps.has_hidden_text and (steps.calculated or names & _CALCULATES):
        return True
    given = {name for name in steps.calculated for value in steps.values.get(name, ()) if not _is_number(value)}
    return bool(given) or bool(steps.calculated and names & _FILLS)


def _is_number(value: ShellWord | None) -> bool:
    text = word_text(value) if value else None
    return text is not None and text.lstrip("-").isalnum()


def _line_command(step: Step, steps: Steps, wrappers: tuple[str, ...], *, is_plain: bool) -> LineCommand:
    node = step.node
    redirects = tuple(_redirects(step.redirects, steps))
    if not isinstance(node, Simple):
        inner = tuple(map(word_text, node.words)) if isinstance(node, Condition) else (None,)
        name, end = ("[[", "]]") if isinstance(node, Condition) else ("((", "))")
        return LineCommand((name, *inner, end), name, wrappers, redirects=redirects, is_plain=is_plain)
    assignments = [each for each in node.assignments if not each.is_argument]
    arguments = [_argument(each) for each in node.assignments if each.is_argument]
    return LineCommand(
        (*map(word_text, node.words), *arguments),
        node.text,
        wrappers,
        tuple(each.name for each in assignments),
        redirects,
        is_plain and not (node.words and hides_a_program(node.words[0])),
        tuple(variants_of(node.words, steps.values)),
        tuple(number for number, word in enumerate(node.words) if is_pattern(word)),
    )


def _is_no_keyword(text: str) -> bool:
    return text.split(None, 1)[0] not in KEYWORDS


def _argument(assignment: Assignment) -> str | None:
    value = word_text(assignment.value) if assignment.value else None
    return None if value is None or assignment.subscript else f"{assignment.name}={value}"


def _redirects(redirects: Iterable[Redirect], steps: Steps) -> Iterator[LineRedirect]:
    for each in redirects:
        target = steps.body(each)
        is_found = is_pattern(target) and each.operator not in _HERE
        yield LineRedirect(each.operator, word_text(target) if each.is_exact and not is_found else None)


def _stdin(step: Step, steps: Steps) -> Stdin | None:
    """The text that a command gets, where it stands in the line."""
    for each in reversed(step.redirects):
        if each.operator.startswith("<"):
            text = word_text(steps.body(each)) if each.operator in _HERE else None
            return None if text is None else Stdin(text)
    before = step.before
    if not isinstance(before, Simple):
        return None
    words = [word_text(each) for each in before.words]
    if words[:1] in (["echo"], ["printf"]) and None not in words:
        return Stdin("\n".join(each for each in words[1:] if each and not each.startswith("-")), is_exact=False)
    bodies = [word_text(steps.body(each)) for each in before.redirects if each.operator in _HERE]
    return Stdin(bodies[-1] or "", is_exact=False) if bodies and bodies[-1] else None

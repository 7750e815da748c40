"""A shell line as a tree: what the reader makes of the text, and what the flow of the user's words is followed in."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Part: TypeAlias = "Literal | Hole | Variable | Substitution | Arithmetic"
    Node: TypeAlias = "Simple | Compound | Loop | Case | Function | Condition | Calculation"

HOLE = "\0"  # stands in the text for a placeholder; no line that a system can start has this character

PLAIN, DOUBLE, SINGLE = "", '"', "'"  # which quotes stand around a hole
RAW = "raw"  # no quotes hold there

COMMAND_OUTPUT, READS_FROM, WRITES_TO = "$(", "<(", ">("


class UnreadableLine(Exception):
    """The line cannot be read, or is written in a part of the language that this reader does not follow."""


class Literal(Value):
    text: str
    quoted: bool = False


class Hole(Value):
    """One place for the user's words. `context` is PLAIN, DOUBLE, SINGLE or RAW."""

    number: int
    context: str


class Variable(Value):
    """`$name` or `${name...}`. `inner` is what follows the name, `operator` the first characters of it."""

    name: str
    quoted: bool
    operator: str = ""
    inner: tuple[Part, ...] = ()
    subscript: tuple[Part, ...] = ()
    indirect: bool = False


class Substitution(Value):
    """`$(...)`, backticks, `<(...)` or `>(...)`."""

    kind: str
    script: Script
    quoted: bool


class Arithmetic(Value):
    parts: tuple[Part, ...]


class ShellWord(Value):
    """`braces` is set if the shell makes several words of it: `{a,b}`."""

    parts: tuple[Part, ...]
    braces: bool = False


class Assignment(Value):
    """`items` are the words of `name=(...)`; then `value` is None. `is_argument` is set behind `export`."""

    name: str
    value: ShellWord | None
    subscript: tuple[Part, ...] = ()
    items: tuple[ShellWord, ...] = ()
    is_argument: bool = False


class Redirect(Value):
    """`target` is the file, the text of a here-string or the body of a here-document.

    `is_exact` is false for a here-document in which the shell replaces things.
    """

    operator: str
    target: ShellWord
    is_exact: bool = True


class Simple(Value):
    """`text` is the command as it is written."""

    assignments: tuple[Assignment, ...]
    words: tuple[ShellWord, ...]
    redirects: tuple[Redirect, ...] = ()
    text: str = ""


class Compound(Value):
    """A group, a subshell, `if`, `while` or `until`: scripts that share their input and output.

    `is_group` is set for the first two, `is_timed` for what stands behind `time`.
    """

    scripts: tuple[Script, ...]
    redirects: tuple[Redirect, ...] = ()
    is_group: bool = False
    is_timed: bool = False


class Loop(Value):
    """`for name in words`. `words` is None for `$@`."""

    name: str
    words: tuple[ShellWord, ...] | None
    body: Script
    redirects: tuple[Redirect, ...] = ()


class Case(Value):
    subject: ShellWord
    patterns: tuple[ShellWord, ...]
    bodies: tuple[Script, ...]
    redirects: tuple[Redirect, ...] = ()


class Function(Value):
    name: str
    body: Node


class Condition(Value):
    """`[[ ... ]]`. An operator is a word like any other."""

    words: tuple[ShellWord, ...]
    redirects: tuple[Redirect, ...] = ()


class Calculation(Value):
    """`(( ... ))`, also that of `for ((...))` with its body."""

    expression: Arithmetic
    body: Script | None = None
    redirects: tuple[Redirect, ...] = ()


class Script(Value):
    """Pipelines: the output of each command is the input of the next one. What joins the pipelines does not matter.

    `in_background` is set where a `&` ends one of them.
    """

    pipelines: tuple[tuple[Node, ...], ...]
    in_background: bool = False

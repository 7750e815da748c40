"""What is wrong, said as a value: a stable code, a place in a file and what to do about it.

A `Rule` lives beside the code that reports it and is the only way to make a `Diagnostic`, so that
`pisces explain CODE`, the reference page and the message can never disagree.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

ERROR = "error"  # something does not load, or does not do what it says
WARNING = "warning"  # it loads, but an author would want to know
NOTE = "note"  # worth knowing, nothing to mend

SEVERITIES = (ERROR, WARNING, NOTE)

# What lints and detectors return. Quoted, so that importing it loads neither `typing` nor `collections.abc`.
Diagnostics: TypeAlias = "Iterator[Diagnostic]"


class Diagnostic(Value):
    """`line` and `column` count from 1, 0 means the whole file; `about` names the item that it concerns."""

    code: str
    severity: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""
    about: str = ""

    def as_json(self) -> dict[str, object]:
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "path": self.path,
            "line": self.line or None,
            "column": self.column or None,
            "hint": self.hint or None,
        }


class Rule(Value):
    """One kind of problem. Why it matters, an example and what to write instead are in `rules.md` of its folder."""

    code: str
    severity: str
    title: str

    def at(
        self, path: str, message: str, *, place: tuple[int, int] = (0, 0), hint: str = "", about: str = ""
    ) -> Diagnostic:
        return Diagnostic(self.code, self.severity, message, path, place[0], place[1], hint, about)


class PiscesError(Exception):
    """The thing asked for cannot be done; `diagnostic` says why, where, and what to do about it.

    Shown by the command line and by the session, nowhere else.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

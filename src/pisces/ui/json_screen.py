"""A screen for programs: whatever a command does, one JSON object comes out.

A command that has an object of its own prints that. Of one that has none, the object holds what it said to people.
"""

from __future__ import annotations

from pisces.ui.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TextIO

    from pisces.diagnostics import Diagnostic


class JsonScreen(Screen):
    """`finish` prints the object of a command that printed none."""

    __slots__ = ("_diagnostics", "_error", "_lines", "_notes", "_printed")

    def __init__(self, out: TextIO, err: TextIO, env: Mapping[str, str]) -> None:
        super().__init__(out, err, env)
        self.colour = False
        self._printed = False
        self._error = ""
        self._lines: list[str] = []
        self._notes: list[str] = []
        self._diagnostics: list[Diagnostic] = []

    def lines(self, lines: Iterable[str]) -> None:
        self._lines.extend(lines)

    def text(self, text: str) -> None:
        self._lines.extend(text.splitlines())

    def json(self, value: Any) -> None:
        super().json(value)
        self._printed = True

    def event(self, value: Any) -> None:
        super().event(value)
        self._printed = True

    def note(self, text: str = "") -> None:
        super().note(text)
        self._notes.append(text)

    def failed(self, message: str, hint: str = "") -> None:
        super().failed(message, hint)
        self._error = message

    def reported(self, diagnostic: Diagnostic) -> None:
        self._diagnostics.append(diagnostic)

    def finish(self, status: int) -> None:
        if not self._printed:
            self.finish_part(status)

    def finish_part(self, status: int) -> None:
        """`error` is why nothing was done. Where nobody says so, the last thing that was said is it."""
        wrong = [each.message for each in self._diagnostics] or [each for each in self._notes if each.strip()]
        error = self._error or (wrong[-1] if wrong else f"exit code {status}")
        diagnostics = [each.as_json() for each in self._diagnostics]
        said = {"output": self._lines, "notes": self._notes, "diagnostics": diagnostics}
        self.json({"error": error if status else None, **said})
        self._error, self._lines, self._notes, self._diagnostics = "", [], [], []

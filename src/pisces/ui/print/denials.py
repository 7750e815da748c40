"""Where nobody can be asked: every question is denied, and the user learns which flag would have allowed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.formats.visible import visible
from pisces.gates.judge import NOBODY
from pisces.shapes.events.tools import ToolCall, ToolResult
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import DENY, Verdict
from pisces.ui.width import cut
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.places import Places
    from pisces.shapes.event import Event
    from pisces.shapes.request import Request

_LONGEST = 200  # columns of a call in a note
_NOT_ASKED = "it needs a permission that nobody can give here"


class Denial(Value):
    """`kind` is that of the request, `exact` what would have run. `who` wanted the question, or said no."""

    kind: str
    exact: str
    who: str
    why: str
    hint: str = ""

    def as_json(self) -> dict[str, Any]:
        return {**dict(zip(self.__fields__, self.as_tuple(), strict=True)), "hint": self.hint or None}

    @property
    def text(self) -> str:
        why = f": {visible(self.why)}" if self.why else ""
        hint = f"; {visible(self.hint)}" if self.hint else ""
        return f"denied by {visible(self.who)}: {cut(visible(self.exact), _LONGEST)}{why}{hint}"


class Denials:
    """`note` gets the text of each once."""

    def __init__(self, places: Places, note: Callable[[str], None]) -> None:
        self._places, self._note = places, note
        self._found: dict[tuple[str, str], Denial] = {}

    @property
    def all(self) -> tuple[Denial, ...]:
        return tuple(self._found.values())

    def approve(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        first = questions[0]
        hint: str = export_of("pisces.ui.print", "allowing", "allowing")(request, first, self._places)
        self._add(Denial(request.KIND, request.exact, first.who, first.why or _NOT_ASKED, hint))
        return Verdict(DENY, NOBODY, first.why or _NOT_ASKED, hint)

    def heard(self, event: Event) -> None:
        """What a rule, a hook or a module denied, without a question."""
        if isinstance(event, ToolResult) and event.denied_by and event.denied_by != NOBODY:
            request = ToolRequest(ToolCall(event.tool, event.call_id, event.input))
            self._add(Denial(request.KIND, request.exact, event.denied_by, event.text))

    def _add(self, denial: Denial) -> None:
        if (denial.kind, denial.exact) not in self._found:
            self._found[denial.kind, denial.exact] = denial
            self._note(denial.text)

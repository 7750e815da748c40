"""A host for `pisces mcp call`: one server is started and asked through the same gates and log as in any session."""

from __future__ import annotations

from pisces.cli._mcp_consent import start_answer
from pisces.gates.judge import NOBODY, USER
from pisces.shapes.request import NO, ServerRequest, ToolRequest
from pisces.shapes.verdict import ALLOW, DENY, Verdict
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.screen import visible
from pisces.ui.width import broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.shapes.request import Request

_YES = ("y", "yes")
_ASKED_ABOUT = {"tools": "Take what it offers now? [y]es, [n]o: "}


class CallConsent:
    """Answers what the gates ask. `--yes` answers for the start and for the call, and for nothing else."""

    def __init__(self, arguments: Namespace, places: Places, screen: Screen) -> None:
        self._arguments, self._places, self._screen = arguments, places, screen

    def __call__(self, request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        if isinstance(request, ServerRequest):
            answer, who = start_answer(request, questions, self._arguments, (self._places, self._screen))
            why = questions[0].why if who == NOBODY else "you said no"
            return _verdict(is_agreed=answer != NO, who=who, why=why)
        if isinstance(request, ToolRequest) and self._arguments.yes:
            return Verdict(ALLOW, "--yes")
        question = "Call it? [y]es, [n]o: " if isinstance(request, ToolRequest) else _ASKED_ABOUT.get(request.KIND, "")
        if not question or not can_ask(self._screen):
            hint = "`--yes` allows it, this time" if isinstance(request, ToolRequest) else ""
            return Verdict(DENY, NOBODY, questions[0].why or "nobody can be asked here", hint)
        for line in request.exact.split("\n"):
            for part in broken(f"    {visible(line)}", self._screen.err_width):
                self._screen.note(part)
        if questions[0].why:
            self._screen.note(f"  because   {visible(questions[0].why)}")
        is_agreed = answer_to(question, self._screen).strip().lower() in _YES
        return _verdict(is_agreed=is_agreed, who=USER, why="you said no")


def _verdict(*, is_agreed: bool, who: str, why: str) -> Verdict:
    return Verdict(ALLOW, who) if is_agreed else Verdict(DENY, who, why)

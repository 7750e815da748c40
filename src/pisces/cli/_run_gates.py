"""The gates of `pisces run`. Questions are answered by options of this call, else at a terminal, else with no."""

from __future__ import annotations

from pisces.gates.judge import NOBODY, USER, judge_now
from pisces.gates.lines import LineGates
from pisces.gates.programs import AUTHOR, ProgramGates
from pisces.gates.safe import safe_gate
from pisces.shapes.request import ALWAYS, NEVER, NO, ONCE, SESSION, LineRequest, ProgramRequest, Request
from pisces.shapes.verdict import DENY, Verdict
from pisces.ui.asking import answer_to, can_ask, shown_by_pages
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.gates.judge import Record
    from pisces.shapes.verdict import Judge

_YES = {"y": ONCE, "yes": ONCE}
_OF_LINES = {**_YES, "s": SESSION, "always": ALWAYS, "never": NEVER}


def add_answers(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="allow what the command runs, and confirm where it asks")
    meaning = "trust a program with exactly this content: sha256:... (repeatable)"
    parser.add_argument("--accept", action="append", metavar="HASH", help=meaning)


def judge_of(arguments: Namespace, places: Places, screen: Screen, record: Record | None = None) -> Judge:
    """The gates of one call of the shell, and the questions where they ask. `record` gets every decision."""
    lines, programs = LineGates(places), ProgramGates(places)

    def confirm(request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        verdict = Verdict(DENY)
        for question in questions:
            if isinstance(request, LineRequest):
                verdict = lines.answered(request, *_allowed(request, question))
            else:
                assert isinstance(request, ProgramRequest)
                answer = _allowed(request, question) if question.who == AUTHOR else _accepted(request, question)
                verdict = programs.answered(request, question, *answer)
            if not verdict.is_allowed:
                break
        return verdict

    def _allowed(request: LineRequest | ProgramRequest, question: Verdict) -> tuple[str, str]:
        return (ONCE, "--yes") if arguments.yes else _asked(request, question.why, places, screen)

    def _accepted(request: ProgramRequest, question: Verdict) -> tuple[str, str]:
        if arguments.accept:
            return ONCE if f"sha256:{request.sha256}" in arguments.accept else NO, "--accept"
        return _asked(request, question.why, places, screen)

    gates = (safe_gate(places), *lines.gates, *programs.gates)
    return lambda request: judge_now(request, gates, confirm, record)


def _asked(request: LineRequest | ProgramRequest, about: str, places: Places, screen: Screen) -> tuple[str, str]:
    """The answer, and who gave it."""
    if not can_ask(screen):
        return NO, NOBODY
    if not shown_by_pages(_card(request, about, places), screen):
        return NO, USER
    is_line = isinstance(request, LineRequest)
    choices = "[y]es, for this [s]ession, [n]o, always, or never" if is_line else "[y]es, [n]o"
    typed = answer_to(f"Allow it? {choices}: ", screen).strip().lower()  # Ctrl-C is no answer: it stops everything
    return (_OF_LINES if is_line else _YES).get(typed, NO), USER  # what was not offered is a no


def _card(request: LineRequest | ProgramRequest, about: str, places: Places) -> list[str]:
    what = "run a command line" if isinstance(request, LineRequest) else "start a program"
    lines = [f"{visible(request.command)} wants to {what} in {visible(places.shown(request.cwd))}", ""]
    lines += [f"    {visible(line)}" for line in request.exact.split("\n")]
    lines += ["", f"  asked by  {visible(places.shown(request.path))}"]
    if isinstance(request, ProgramRequest) and request.sha256:
        lines.append(f"  content   sha256:{request.sha256}")
        lines.append(f"  covers    the program, its entry in the manifest, all files of {visible(request.package)}")
    if isinstance(request, ProgramRequest) and request.env:
        lines.append(f"  gets      {visible(', '.join(request.env))}")
    if about:
        lines.append(f"  because   {visible(about)}")
    if isinstance(request, ProgramRequest):
        lines += [f"  changed   {visible(each)}" for each in request.changes]
    return lines

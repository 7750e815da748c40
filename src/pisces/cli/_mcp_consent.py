"""The question before `pisces mcp` starts or reaches a server: what exactly, who brings it, what it gets."""

from __future__ import annotations

from pisces.cli._audit import audit_of
from pisces.cli._mcp import TYPED
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.named_packages import LABEL
from pisces.gates.judge import NOBODY, USER, Gate, judge_now
from pisces.gates.safe import safe_gate
from pisces.gates.server_starts import ServerStartGates
from pisces.gates.trusted import trust_in
from pisces.shapes.request import ALWAYS, NO, ONCE, Request, ServerRequest
from pisces.shapes.verdict import Verdict
from pisces.ui.asking import answer_to, can_ask, shown_by_pages
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.mcp.plan import ServerPlan

_ANSWERS = {"y": ONCE, "yes": ONCE, "a": ALWAYS, "always": ALWAYS}


def add_start_consent(parser: ArgumentParser) -> None:
    meaning = "start a server that a project or a package brings, this time"
    parser.add_argument("--yes", action="store_true", help=meaning)


def agree_to_start(plan: ServerPlan, arguments: Namespace, places: Places, screen: Screen) -> None:
    """`PiscesError` where it may not be started. What the user typed, and packages that they named, is decided."""
    starts = ServerStartGates(places, trust_in(places))

    def confirm(request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(request, ServerRequest)
        answer, who = start_answer(request, questions, arguments, (places, screen))
        verdict = starts.answered(request, answer, who)
        hint = "`--yes` allows it, this time" if who == NOBODY else verdict.hint
        return verdict.replace(why=questions[0].why or verdict.why, hint=hint) if who == NOBODY else verdict

    is_named = plan.found.source.label in (LABEL, TYPED)
    origin = (Gate("the command line", lambda _: Verdict.allow(), None),) if is_named else starts.gates
    verdict = judge_now(plan.request, (safe_gate(places), *origin), confirm, audit_of(places, screen).judged).verdict
    if not verdict.is_allowed:
        message = f"the server `{plan.name}` is not started: {verdict.why or 'it is not allowed'}"
        raise PiscesError(Diagnostic("mcp-not-started", ERROR, message, plan.found.source.path, hint=verdict.hint))


def start_answer(
    request: ServerRequest, questions: tuple[Verdict, ...], arguments: Namespace, where: tuple[Places, Screen]
) -> tuple[str, str]:
    """The answer to the question whether a server may start, and who gave it."""
    places, screen = where
    if arguments.yes:
        return ONCE, "--yes"
    if not can_ask(screen):
        return NO, NOBODY
    about = "; ".join(filter(None, (each.why for each in questions)))
    if not shown_by_pages(start_card(request, about, places), screen):
        return NO, USER
    typed = answer_to("Start it? [y]es, this time, [a]lways, as it is now, [n]o: ", screen).strip().lower()
    return _ANSWERS.get(typed, NO), USER


def start_card(request: ServerRequest, about: str, places: Places) -> list[str]:
    """Everything that the answer is about."""
    what = "is started" if request.argv else "is reached"
    lines = [f"the MCP server {visible(request.name)} {what}:", ""]
    lines.append(f"    {visible(request.exact)}")
    rows = {
        "asked by": visible(places.shown(request.path)) if request.path else "",
        "works in": visible(places.shown(request.cwd)) if request.argv else "",
        "gets": visible(", ".join(request.env)),
        "sends": visible(", ".join(request.headers)),
        "floats": visible(request.floating) if not request.pin else "",
        "pinned": visible(request.pin),
        "content": f"sha256:{request.sha256}" if request.sha256 else "",
        "because": visible(about),
    }
    lines += ["", *(f"  {name:9} {text}" for name, text in rows.items() if text)]
    return [*lines, *(f"  changed   {visible(each)}" for each in request.changes)]

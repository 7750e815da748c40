"""The question before `pisces mcp` starts or reaches a server: what exactly, who brings it, what it gets."""

from __future__ import annotations

from pisces.cli._audit import audit_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.found import USER as OWN
from pisces.discovery.named_packages import LABEL
from pisces.gates.judge import NOBODY, USER, Gate, judge_now
from pisces.gates.safe import safe_gate
from pisces.shapes.request import Request, ServerRequest
from pisces.shapes.verdict import ALLOW, DENY, Verdict
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.screen import visible
from pisces.ui.width import broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.mcp.plan import ServerPlan

_YES = ("y", "yes")


def add_start_consent(parser: ArgumentParser) -> None:
    meaning = "start a server that a project or a package brings, this time"
    parser.add_argument("--yes", action="store_true", help=meaning)


def agree_to_start(plan: ServerPlan, arguments: Namespace, places: Places, screen: Screen) -> None:
    """`PiscesError` where it may not be started. What the user configured, typed or named is decided already."""

    def confirm(request: Request, questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(request, ServerRequest)
        if arguments.yes:
            return Verdict(ALLOW, "--yes")
        if not can_ask(screen):
            return Verdict(DENY, NOBODY, questions[0].why or "nobody can be asked here", "`--yes` allows it, this time")
        for line in start_card(request, questions[0].why, places, screen):
            screen.note(line)
        is_agreed = answer_to("Start it? [y]es, [n]o: ", screen).strip().lower() in _YES
        return Verdict(ALLOW if is_agreed else DENY, USER, "" if is_agreed else "you said no")

    is_named = plan.found.source.label == LABEL
    origin = Gate(LABEL, lambda _: Verdict.allow(), None) if is_named else Gate("who brings it", _by_origin, None)
    gates = (safe_gate(places), origin)
    verdict = judge_now(plan.request, gates, confirm, audit_of(places, screen).judged).verdict
    if not verdict.is_allowed:
        message = f"the server `{plan.name}` is not started: {verdict.why or 'it is not allowed'}"
        raise PiscesError(Diagnostic("mcp-not-started", ERROR, message, plan.found.source.path, hint=verdict.hint))


def _by_origin(request: Request) -> Verdict:
    assert isinstance(request, ServerRequest)
    if request.level == OWN and not request.package:
        return Verdict.allow("the user configured it")
    who = f"the package `{request.package}`" if request.package else "this project"
    return Verdict.ask(f"{who} brings it")


def start_card(request: ServerRequest, about: str, places: Places, screen: Screen) -> list[str]:
    """Everything that the answer is about."""
    what = "is started" if request.argv else "is reached"
    lines = [f"the MCP server {visible(request.name)} {what}:", ""]
    lines += broken(f"    {visible(request.exact)}", screen.err_width)
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

"""`pisces sessions search TEXT`: where something was said, in the sessions of this workspace."""

from __future__ import annotations

from itertools import islice

from pisces.agent.transcript_search import hits_in
from pisces.cli._sessions import SHORT_ID, add_all, moment, sessions_meant, unreadable
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.agent.transcript_search import SearchHit
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic

_MOST = 200


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", metavar="TEXT", help="what was said, by you, the model or a tool; any case")
    add_all(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    wanted = " ".join(arguments.text)
    problems: list[Diagnostic] = []
    found = _hits(wanted, arguments, places, problems)
    if arguments.output_format == "json":
        hits = [dict(zip(hit.__fields__, hit.as_tuple(), strict=True)) for hit in islice(found, _MOST)]
        is_more = next(found, None) is not None
        shown = {"text": wanted, "hits": hits, "more": is_more}
        screen.json({**shown, "diagnostics": [each.as_json() for each in problems]})
        return FINE if hits else PROBLEMS
    count = 0
    for hit in islice(found, _MOST):
        screen.lines(_lines(hit, screen))
        count += 1
    more = " or more" if next(found, None) is not None else ""
    show_diagnostics(problems, places, screen)
    where = "" if arguments.all else "; `--all` searches other workspaces too"
    screen.note(f"{counted(count, 'hit')}{more}{where}" if count else f"nothing was found{where}")
    return FINE if count else PROBLEMS


def _hits(wanted: str, arguments: Namespace, places: Places, problems: list[Diagnostic]) -> Iterator[SearchHit]:
    """As they are found, the newest session first."""
    for session in sessions_meant(arguments, places):
        try:
            yield from hits_in(session.path, wanted)
        except OSError as error:
            problems.append(unreadable(error, session.path))


def _lines(hit: SearchHit, screen: Screen) -> Iterator[str]:
    title = f" {hit.title}" if hit.title else ""
    head = f"{hit.session[:SHORT_ID]}  {moment(hit.at)}  {hit.what}{title}"
    yield screen.styled(visible(head), "dim")
    yield f"    {visible(hit.before)}{screen.styled(visible(hit.found), 'bold')}{visible(hit.after)}"


_EXAMPLES = (
    ("pisces sessions search retry with back-off", "in the sessions of this workspace"),
    ("pisces sessions search --all ECONNRESET", "in all sessions"),
)
_SUMMARY = "where something was said, by you, the model or a tool"
COMMAND = ShellCommand("sessions search", _SUMMARY, _EXAMPLES, _arguments, _run)

"""`pisces audit`: what was loaded, judged, run and changed, by whom and why; as a table, as JSON, or as it happens."""

from __future__ import annotations

import sys
import time

from pisces.audit.place import AUDIT_VARIABLE, audit_path
from pisces.audit.reading import Logged, LogTail, records
from pisces.audit.record import WHATS
from pisces.cli._audit_rows import row_lines
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.shapes.request import TOOL
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_NEWEST = "100"
_LOOK_AGAIN = 0.25  # seconds
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_STAMP = "%Y-%m-%dT%H:%M:%S"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--what", action="append", choices=WHATS, help="only records of this kind (repeatable)")
    parser.add_argument("--decision", choices=(ALLOW, ASK, DENY), help="only where this was decided")
    parser.add_argument("--who", metavar="NAME", help="only where this gate, module or person decided or had a say")
    parser.add_argument("--tool", metavar="NAME", help="only calls of this tool")
    parser.add_argument("--since", metavar="TIME", help="only after this: 30m, 2h, 3d, or 2026-11-16T08:00 (UTC)")
    parser.add_argument("--session", metavar="PREFIX", help="only of the session whose id begins so")
    parser.add_argument("--last", metavar="N", default=_NEWEST, help=f"the newest N ({_NEWEST}); 0 for all")
    parser.add_argument("--follow", action="store_true", help="go on with what is written from now on, until Ctrl-C")
    add_output_format(parser)


class _Filter(Value):
    """`since` is a time as records have it, empty for all times."""

    wanted: Namespace
    since: str

    def takes(self, record: Logged) -> bool:
        wanted = self.wanted
        return (
            (not wanted.what or record.what in wanted.what)
            and (not wanted.decision or record.text("decision") == wanted.decision)
            and (not wanted.who or wanted.who in _who_had_a_say(record))
            and (not wanted.tool or (record.text("kind") == TOOL and record.text("name") == wanted.tool))
            and record.at >= self.since
            and record.session.startswith(wanted.session or "")
        )


def _who_had_a_say(record: Logged) -> list[str]:
    verdicts, changes = record.details.get("verdicts"), record.details.get("changes")
    judges = [each.get("who") for each in verdicts if isinstance(each, dict)] if isinstance(verdicts, list) else []
    changers = changes if isinstance(changes, list) else []
    return [record.text("who"), *map(str, judges), *map(str, changers)]


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    path = audit_path(places)
    chosen = _Filter(arguments, _since(arguments.since, time.time()))
    last = _count(arguments.last)
    if not path:
        screen.note(f"the audit log is off: {AUDIT_VARIABLE}={visible(places.env[AUDIT_VARIABLE])}")
        return FINE
    if arguments.follow:
        return _follow(LogTail(path), chosen, arguments, screen)
    found, problems, total = _newest(path, chosen, last)
    if arguments.output_format == "json":
        shown = {"path": path, "records": [each.as_json() for each in found]}
        screen.json({**shown, "diagnostics": [each.as_json() for each in problems]})
        return FINE
    _show(found, arguments, screen)
    show_diagnostics(problems, places, screen)
    if total > len(found):
        screen.note(f"the newest {len(found)} of {counted(total, 'record')}: --last 0 shows all")
    if not total and not problems:
        nothing = "nothing of that" if any(records(path, 1)) else "nothing yet"
        screen.note(f"{nothing} is recorded in {visible(places.shown(path))}")
    return FINE


def _newest(path: str, chosen: _Filter, last: int) -> tuple[list[Logged], list[Diagnostic], int]:
    """The newest records that are wanted, what is wrong with the files, and how many are wanted in all."""
    found: list[Logged] = []
    problems: list[Diagnostic] = []
    for each in records(path):
        if isinstance(each, Diagnostic):
            problems.append(each)
        elif chosen.takes(each):
            found.append(each)
    return (found[-last:] if last else found), problems, len(found)


def _follow(tail: LogTail, chosen: _Filter, arguments: Namespace, screen: Screen) -> int:
    last = _count(arguments.last)
    try:
        found = [each for each in tail.news() if chosen.takes(each)]
        _show(found[-last:] if last else found, arguments, screen)
        while True:
            time.sleep(_LOOK_AGAIN)
            _show([each for each in tail.news() if chosen.takes(each)], arguments, screen)
    except KeyboardInterrupt:  # this is how a user ends it
        return FINE
    finally:
        tail.close()


def _show(found: list[Logged], arguments: Namespace, screen: Screen) -> None:
    if arguments.output_format == "json":
        for each in found:
            screen.event(each.as_json())
    elif found:
        screen.lines(row_lines(found, screen))
        sys.stdout.flush()


def _count(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    hint = "as in --last 20; 0 means all"
    raise PiscesError(Diagnostic("bad-last", ERROR, f"`--last {text}` is not a number", hint=hint))


def _since(text: str | None, now: float) -> str:
    """`2h` is two hours ago; a time or the beginning of one is taken as it is, in UTC."""
    if not text:
        return ""
    amount, unit = text[:-1], text[-1:].lower()
    if amount.isascii() and amount.isdigit() and unit in _UNITS and len(amount) < 9:
        return time.strftime(_STAMP, time.gmtime(max(now - int(amount) * _UNITS[unit], 0)))
    if text[:4].isdigit() and text[4:5] == "-" and text.isascii():
        return text.replace(" ", "T")
    hint = "a length such as 30m, 2h, 3d, or a time such as 2026-11-16T08:00"
    raise PiscesError(Diagnostic("bad-since", ERROR, f"`--since {text}` is not a time", hint=hint))


_EXAMPLES = (
    ("pisces audit", "the newest records"),
    ("pisces audit --decision deny --since 2h", "what was denied in the last two hours"),
    ("pisces audit --what hook --what judged --follow", "hooks and decisions, as they happen"),
    ("pisces audit --tool bash --last 0", "every call of one tool"),
    ("pisces audit --output-format json --since 1d", "for programs"),
)
COMMAND = ShellCommand(
    "audit", "what was loaded, judged, run and changed, by whom and why", _EXAMPLES, _arguments, _run
)

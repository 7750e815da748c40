"""`pisces extensions sync`: installs exactly what the lock pins, after consent, all of it or none of it."""

from __future__ import annotations

from pisces.audit.record import ChangedRecord
from pisces.cli._audit import audit_of
from pisces.cli._installer import consent, installer_that_asks
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.packages.install import InstallRequest
from pisces.packages.lock.lock_file import read_lock
from pisces.packages.lock.project_file import Project, project_here
from pisces.packages.lock.sync import INSTALLED, LINKED, REPAIRED, UPDATED, Synced, Wanted, sync
from pisces.shapes.verdict import ALLOW, Verdict
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.gates.judge import Confirm
    from pisces.shapes.request import Request


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--frozen", action="store_true", help="take the lock as it is, exit 1 on any drift")
    parser.add_argument("--offline", action="store_true", help="use the cache only")
    parser.add_argument("--accept", action="append", metavar="HASH", help="agree to exactly this content (repeatable)")
    parser.add_argument("--accept-lock", action="store_true", help="agree to all that the lock pins as it is now")
    parser.add_argument("--full-card", action="store_true", help="show every file of each package too")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    project = project_here(places)
    installer = installer_that_asks(_consent(arguments, project, screen), places, screen)
    synced = sync(project, installer, Wanted(arguments.frozen, arguments.offline))
    audit = audit_of(places, screen)
    for name, state in synced.states.items():
        if state in (INSTALLED, UPDATED, REPAIRED):
            audit.write(ChangedRecord(state, "package", name, text="the lock"))
    if arguments.output_format == "json":
        named = {"packages": synced.states, "others": list(synced.others), "lock_changes": list(synced.lock_changes)}
        screen.json({**named, "diagnostics": [each.as_json() for each in synced.diagnostics]})
    else:
        _show(synced, places, screen)
    return FINE


def _consent(arguments: Namespace, project: Project, screen: Screen) -> Confirm:
    """Hashes that were named, then those of the lock as it was when we began, then the terminal."""
    named = set(arguments.accept or ())
    locked = list((read_lock(project) or {}).values()) if arguments.accept_lock else []
    arguments.accept = None  # what is left to ask about is none of those
    ask = consent(arguments, project.places, screen)

    def confirm(request: Request, questions: tuple[Verdict, ...]) -> Verdict | Awaitable[Verdict]:
        assert isinstance(request, InstallRequest)
        if any(pin.name == request.card.name and pin.is_of(request.tree) for pin in locked):
            screen.note(f"agreed to by the lock: {visible(request.card.name)} {request.card.hash}")
            return Verdict(ALLOW, "--accept-lock", "the lock pins its hash")
        if request.card.hash in named:
            return Verdict(ALLOW, "--accept", "its hash was named")
        return ask(request, questions)

    return confirm


def _show(synced: Synced, places: Places, screen: Screen) -> None:
    for change in synced.lock_changes:
        screen.note(f"lock: {visible(change)}")
    screen.lines(table([[visible(name), state] for name, state in synced.states.items()]))
    linked = [name for name, state in synced.states.items() if state == LINKED]
    if linked:
        screen.note(f"linked, so left alone: {visible(', '.join(linked))}")
    if synced.others:
        few = ", ".join(synced.others[:10]) + (", ..." if len(synced.others) > 10 else "")
        count = counted(len(synced.others), "package")
        screen.note(f"left alone, the lock does not name {count}: {visible(few)}")
    show_diagnostics(synced.diagnostics, places, screen)


_EXAMPLES = (
    ("pisces extensions sync", "lock what is new, then install what differs"),
    ("pisces extensions sync --frozen --accept-lock", "for CI: the committed lock, and nothing else"),
    ("pisces extensions sync --frozen --offline", "from the cache"),
)
COMMAND = ShellCommand("extensions sync", "install exactly what pisces.lock pins", _EXAMPLES, _arguments, _run)

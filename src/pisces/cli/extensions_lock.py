"""`pisces extensions lock`: pins every package of the project file. Nothing is installed and nothing is run."""

from __future__ import annotations

from pisces.cli._installer import quiet_installer
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import WARNING, Diagnostic
from pisces.packages.lock.lock import Renewal, drift, launch_notes, lock
from pisces.packages.lock.lock_file import read_lock
from pisces.packages.lock.project_file import Project, project_here
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.packages.install import Installer


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if the lock is out of date")
    parser.add_argument("--update", action="append", metavar="NAME", help="renew the pin of this package (repeatable)")
    parser.add_argument("--update-all", action="store_true", help="renew every pin")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a server is started in a floating version")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    if arguments.check and (arguments.update or arguments.update_all):
        screen.note("pisces: --check changes nothing, so it goes without --update")
        return COULD_NOT_RUN
    installer, project = quiet_installer(places, screen), project_here(places)
    if arguments.check:
        return _checked(arguments, project, installer, screen)
    renewal = Renewal(tuple(arguments.update or ()), arguments.update_all)
    locked = lock(project, installer, renewal)
    if arguments.output_format == "json":
        _print_json(screen, list(locked.changes), list(locked.diagnostics), written=locked.written)
    else:
        for change in locked.changes:
            screen.line(visible(change))
        did = "wrote" if locked.written else "nothing to change in"
        screen.note(f"{did} {visible(places.shown(project.lock))}: {counted(len(locked.pins), 'package')}")
        show_diagnostics(locked.diagnostics, places, screen)
    return _status(arguments, locked.diagnostics)


def _checked(arguments: Namespace, project: Project, installer: Installer, screen: Screen) -> int:
    drifted = drift(project, installer)
    found = [*drifted, *launch_notes(read_lock(project) or {}, project)]
    if arguments.output_format == "json":
        _print_json(screen, [], found, written=False)
    else:
        show_diagnostics(found, installer.places, screen)
    if not drifted and arguments.output_format != "json":
        screen.note("the lock is up to date")
    return PROBLEMS if drifted else _status(arguments, found)


def _print_json(screen: Screen, changes: list[str], diagnostics: list[Diagnostic], *, written: bool) -> None:
    found = [diagnostic.as_json() for diagnostic in diagnostics]
    screen.json({"written": written, "changes": changes, "diagnostics": found})


def _status(arguments: Namespace, diagnostics: tuple[Diagnostic, ...] | list[Diagnostic]) -> int:
    floating = any(diagnostic.severity == WARNING for diagnostic in diagnostics)
    return PROBLEMS if arguments.strict and floating else FINE


_EXAMPLES = (
    ("pisces extensions lock", "what is new or changed; other pins stay"),
    ("pisces extensions lock --update review", "the newest that the project file allows"),
    ("pisces extensions lock --check --strict", "for CI: up to date, and nothing floats"),
)
_SUMMARY = "pin every package of the project file in pisces.lock"
COMMAND = ShellCommand("extensions lock", _SUMMARY, _EXAMPLES, _arguments, _run)

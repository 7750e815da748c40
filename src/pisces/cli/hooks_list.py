"""`pisces hooks list`: which hooks would fire here, at which event, in which order."""

from __future__ import annotations

from pisces.cli._packages import add_packages
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format
from pisces.cli._switches import safe_notes
from pisces.discovery.named_packages import named_packages
from pisces.gates.hooks.found_hooks import found_hooks, hooks_of_package
from pisces.gates.hooks.hook_place import line_of, shown_place
from pisces.gates.trusted import trust_in
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import path_rows
from pisces.ui.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.gates.hooks.dialect import LoadedHook

_LONGEST = 60


def _arguments(parser: ArgumentParser) -> None:
    add_packages(parser)
    parser.add_argument("--event", metavar="NAME", help="those of one event, by the name that the hook has for it")
    parser.add_argument("--trust-workspace", action="store_true", help="as if what this project brings were trusted")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    trust = trust_in(places)
    if arguments.trust_workspace:
        trust = trust.including_for_this_run(places.cwd)
    found = found_hooks(places, trust)
    folders = [package.path for package in named_packages(arguments.package or (), places).packages]
    named = [each for folder in dict.fromkeys(folders) for each in hooks_of_package(folder, places)]
    hooks = _in_order([*named, *found.loaded], arguments.event)
    notes = (*safe_notes(places), *found.diagnostics)
    if arguments.output_format == "json":
        problems = [each.as_json() for each in notes]
        screen.json({"hooks": [_json(each) for each in hooks], "diagnostics": problems})
        return FINE
    for lines in path_rows([_row(each, places) for each in hooks], screen.width):
        screen.lines(lines)
    firing = "no hook would fire here" if places.is_safe or not hooks else f"{counted(len(hooks), 'hook')} would fire"
    screen.note(firing)
    show_diagnostics(notes, places, screen)
    return FINE


def _in_order(hooks: Sequence[LoadedHook], event: str | None) -> list[LoadedHook]:
    """By event, in the order in which events are met first; within one, as they are started."""
    wanted = [each for each in hooks if event in (None, each.hook.event)]
    events = list(dict.fromkeys(each.hook.event for each in wanted))
    return sorted(wanted, key=lambda each: events.index(each.hook.event))


def _row(loaded: LoadedHook, places: Places) -> list[str]:
    hook = loaded.hook
    matcher = hook.matcher if isinstance(hook.matcher, str) and hook.matcher else "*"
    place = places.shown(shown_place(loaded))
    origin = loaded.package or f"{loaded.source.label}, {loaded.source.level}"
    narrows = "only narrows" if loaded.is_narrowing else ""
    command = cut(" ".join(hook.command.split()), _LONGEST)
    return [hook.event, visible(matcher), visible(command), visible(origin), narrows, visible(place)]


def _json(loaded: LoadedHook) -> dict[str, Any]:
    hook = loaded.hook
    return {
        "event": hook.event,
        "matcher": hook.matcher,
        "type": hook.type,
        "command": hook.command,
        "harness": loaded.source.harness,
        "dialect": hook.dialect,
        "level": loaded.source.level,
        "package": loaded.package or None,
        "path": hook.path,
        "line": line_of(loaded) or None,
        "seconds": hook.seconds,
        "only_narrows": loaded.is_narrowing,
        "flaw": loaded.flaw or None,
    }


_EXAMPLES = (
    ("pisces hooks list", "what would fire, by event, in order"),
    ("pisces hooks list --event PreToolUse", "the guards of Claude Code and Codex"),
    ("pisces hooks list --output-format json", "for programs"),
)
COMMAND = ShellCommand("hooks list", "which hooks would fire here, in which order", _EXAMPLES, _arguments, _run)

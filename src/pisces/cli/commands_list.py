"""`pisces commands list`: every slash command that can be typed here, and whether it calls a model."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._packages import add_packages, catalog_for
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import safe_notes
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table
from pisces.ui.width import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.commands.names.catalog import CatalogEntry
    from pisces.diagnostics import Diagnostic


def _arguments(parser: ArgumentParser) -> None:
    add_packages(parser)
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = catalog_for(arguments, places, screen)
    entries = sorted(found.entries, key=lambda entry: entry.name)
    missing = {entry.qualified: flaw for entry in entries if (flaw := _missing(entry))}
    problems = (*found.diagnostics, *missing.values())
    if arguments.output_format == "json":
        problems = (*safe_notes(places), *problems)
        shown = [{**entry_json(each), "is_missing": each.qualified in missing} for each in entries]
        screen.json({"commands": shown, "diagnostics": [each.as_json() for each in problems]})
        return FINE
    screen.lines(table([_row(entry, missing) for entry in entries]))
    programs = sum(not entry.calls_model for entry in entries)
    free = f", {programs} of them without a model" if programs else ""
    screen.note(f"{counted(len(entries), 'command', 'commands')}{free}" if entries else "no commands found")
    show_diagnostics(problems, places, screen)
    return FINE


def _missing(entry: CatalogEntry) -> Diagnostic | None:
    """Why the program of a command cannot be found on this machine."""
    executable = entry.command.executable
    if executable is None:
        return None
    flaw: Diagnostic | None = export_of("pisces.commands.programs", "program", "missing_program")(executable)
    return flaw


def _row(entry: CatalogEntry, missing: Container[str]) -> list[str]:
    title = f"/{entry.name} {entry.command.argument_hint}".rstrip()
    kind = "prompt" if entry.calls_model else "program (missing)" if entry.qualified in missing else "program"
    return [visible(title), kind, visible(entry.origin), visible(cut(" ".join(entry.command.description.split()), 64))]


def entry_json(entry: CatalogEntry) -> dict[str, Any]:
    """What a completion menu needs, and where the command lives."""
    executable = entry.command.executable
    return {
        "name": entry.name,
        "qualified": entry.qualified,
        "description": entry.command.description,
        "argument_hint": entry.command.argument_hint,
        "kind": "prompt" if executable is None else "program",
        "calls_model": entry.calls_model,
        "subcommands": list(executable.subcommands) if executable else [],
        "dialect": entry.command.dialect,
        "package": entry.package or None,
        "harness": entry.source.harness,
        "level": entry.source.level,
        "path": entry.command.path,
    }


_EXAMPLES = (
    ("pisces commands list", "what to type, and what it is"),
    ("pisces commands list --package ./my-extension", "with those of a folder"),
    ("pisces commands list --output-format json", "names, hints and sources for a completion menu"),
)
COMMAND = ShellCommand("commands list", "every slash command that can be typed here", _EXAMPLES, _arguments, _run)

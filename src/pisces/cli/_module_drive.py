"""Opens the module that `pisces modules test` names, takes the steps that were asked for, and shows what happened."""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import contextmanager

from pisces.audit.record import LoadedRecord, RefusedRecord
from pisces.cli._audit import audit_of, refuse_if_safe
from pisces.cli._module_report import ModuleReport, show
from pisces.cli._module_steps import EVENT, TOOL, Driven, answer_in, event_in, fields_in, flags_in
from pisces.cli._shell_command import FINE, PROBLEMS
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.modules.entries import named_entries
from pisces.modules.headless import SCRIPTED_MODEL, Headless, open_headless
from pisces.modules.module_set import ModuleOptions
from pisces.modules.tool_schema import tool_problems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.audit.log import AuditLog
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.modules.entry import ModuleEntry
    from pisces.modules.module_set import ModuleSet
    from pisces.shapes.events import ModuleFailed


def drive(arguments: Namespace, places: Places, screen: Screen) -> int:
    refuse_if_safe("module", arguments.path, places, screen)
    _read_steps(arguments.steps)
    found = named_entries(places, [arguments.path])
    options = ModuleOptions(seconds=_seconds(arguments.seconds), flags=flags_in(arguments.flag), env=places.env)
    with _workspace(arguments.cwd, places) as cwd:
        host = Headless(cwd, map(answer_in, arguments.answer))
        host.model = SCRIPTED_MODEL
        audit = audit_of(places.replace(cwd=cwd), screen)
        report = asyncio.run(_driven(found.entries, host, options, arguments.steps, audit))
        audit.close()
    report = report.replace(diagnostics=(*found.diagnostics, *report.diagnostics))
    if arguments.output_format == "json":
        screen.json(report.as_json())
    else:
        show(report, places, screen)
    return PROBLEMS if report.is_bad else FINE


@contextmanager
def _workspace(wanted: str | None, places: Places) -> Iterator[str]:
    """A test must not commit, delete or write anything in somebody's project only because it was started there."""
    if wanted:
        yield places.absolute(wanted)
        return
    with tempfile.TemporaryDirectory() as folder:
        empty = os.path.join(os.path.realpath(folder), "workspace")
        os.mkdir(empty)
        yield empty


def _read_steps(steps: Sequence[tuple[str, str]]) -> None:
    """A mistake in the last step is reported before the first one is taken."""
    for kind, text in steps:
        if kind == EVENT:
            event_in(text)
        elif kind == TOOL:
            fields_in(text.partition("=")[2], text)


async def _driven(
    entries: Sequence[ModuleEntry],
    host: Headless,
    options: ModuleOptions,
    steps: Sequence[tuple[str, str]],
    audit: AuditLog,
) -> ModuleReport:
    failures: list[ModuleFailed] = []
    async with open_headless(entries, host, failures.append, options) as modules:
        loaded = [module for module in modules.runner.modules if module.path]
        tools = [problem for tool in modules.runner.tools.values() for problem in tool_problems(tool)]
        problems = (*modules.errors, *modules.clashes, *tools)
        languages = {entry.path: entry.language for entry in reversed(entries)}
        brought = tuple((languages[module.path], module) for module in loaded)
        for entry in entries:
            _record(entry, modules, audit)
        done = []
        if loaded:
            driven = Driven(modules, host, audit.judged)
            done = [await driven.start(), *[await driven.take(kind, text) for kind, text in steps]]
    return ModuleReport(brought, tuple(done), problems, tuple(failures))


def _record(entry: ModuleEntry, modules: ModuleSet, audit: AuditLog) -> None:
    if any(module.path == entry.path for module in modules.runner.modules):
        audit.write(LoadedRecord("module", entry.name, entry.path, entry.level, entry.package))
    for error in modules.errors:
        if entry.path in (error.about, error.path):
            audit.write(RefusedRecord("module", entry.name, entry.path, code=error.code, why=error.message))


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        hint = "a number such as 30 or 0.5"
        problem = Diagnostic("bad-step", ERROR, f"`--seconds {text}` is not a time in seconds", hint=hint)
        raise PiscesError(problem) from None

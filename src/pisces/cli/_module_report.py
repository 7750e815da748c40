"""What `pisces modules test` found out, for people and for programs."""

from __future__ import annotations

import json

from pisces.cli._module_steps import EVENT, TOOL, Done
from pisces.diagnostics import ERROR, Diagnostic
from pisces.processes.clean import cleaned
from pisces.shapes.events import ModuleFailed, SessionStart
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from pisces.cli._shell_command import Places, Screen
    from pisces.modules.loaded_module import LoadedModule

_WIDE = 100
_LABELS = {
    "notices": "notified",
    "drawn": "drew",
    "titles": "title",
    "statuses": "status",
    "widgets": "widget",
    "typed": "said",
    "entries": "kept",
    "controls": "wants",
    "updates": "progress",
}


class ModuleReport(Value):
    """`brought` has each module with its language."""

    brought: tuple[tuple[str, LoadedModule], ...]
    steps: tuple[Done, ...]
    diagnostics: tuple[Diagnostic, ...]
    failures: tuple[ModuleFailed, ...]

    @property
    def is_bad(self) -> bool:
        wrong = [*self.failures, *(each for each in self.diagnostics if each.severity == ERROR)]
        return bool(wrong) or not self.brought or any(step.error for step in self.steps)

    def as_json(self) -> dict[str, Any]:
        return {
            "modules": [_plain(registered(module, language)) for language, module in self.brought],
            "steps": [step_json(step) for step in self.steps],
            "failures": _listed(self.failures, "module", "event", "message", "trace"),
            "diagnostics": [each.as_json() for each in self.diagnostics],
        }


def registered(module: LoadedModule, language: str) -> dict[str, Any]:
    return {
        "name": module.name,
        "path": module.path,
        "language": language,
        "events": list(dict.fromkeys(each.event.NAME or each.event.__name__ for each in module.handlers)),
        "tools": _listed(module.tools.values(), "name", "description", "parameters"),
        "commands": _listed(module.commands.values(), "name", "description"),
        "flags": _listed(module.flags.values(), "name", "description", "type", "default"),
        "shortcuts": _listed(module.shortcuts.values(), "key", "description"),
        "renderers": _listed(module.renderers, "kind", "name"),
        "providers": list(module.providers),
    }


def _listed(items: Iterable[object], *fields: str) -> list[dict[str, Any]]:
    return [{field: getattr(item, field) for field in fields} for item in items]


def step_json(step: Done) -> dict[str, Any]:
    head = {"step": step.kind, "name": step.name, "given": step.given, "error": step.error or None}
    outcome = {"changes": step.outcome} if step.kind == EVENT else step.outcome
    return _plain({**head, **outcome, "did": step.did})


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Modules return anything; what JSON does not know becomes text."""
    plain: dict[str, Any] = json.loads(json.dumps(value, default=str))
    return plain


def show(report: ModuleReport, places: Places, screen: Screen) -> None:
    """What it brings, what it did at each step; then, to stderr, what is wrong."""
    for language, module in report.brought:
        head = f"{screen.styled(visible(module.name), 'bold')}  {language}  {visible(places.shown(module.path))}"
        _show_block(head, list(_registered_rows(registered(module, language))), screen)
    for step in report.steps:
        rows = list(_step_rows(step))
        if rows or step.kind != EVENT or step.name != SessionStart.NAME:
            screen.line()
            head = f"{step.kind} {visible(step.name)}"
            _show_block(screen.styled(head, "bold"), rows or [["nothing happened"]], screen)
    show_diagnostics(report.diagnostics, places, screen)
    for failure in report.failures:
        _show_failure(failure, places, screen)
    if report.failures:
        screen.note(f"{counted(len(report.failures), 'failure')} while it ran")


def _show_block(head: str, rows: list[list[str]], screen: Screen) -> None:
    screen.line(head)
    screen.lines(table([[f"  {row[0]}", *row[1:]] for row in rows]))


def _show_failure(failure: ModuleFailed, places: Places, screen: Screen) -> None:
    place = f"{visible(places.shown(failure.module))}: " if failure.module else ""
    screen.note(f"{place}{screen.styled('failed', 'red')} at {failure.event}: {visible(failure.message)}")
    for line in failure.trace.splitlines():
        screen.note(f"  {visible(line)}")


def _registered_rows(module: Mapping[str, Any]) -> Iterator[list[str]]:
    if module["events"]:
        yield ["listens to", ", ".join(module["events"])]
    for tool in module["tools"]:
        yield ["tool", f"{visible(tool['name'])}({_arguments(tool['parameters'])})", _first_line(tool["description"])]
    for command in module["commands"]:
        yield ["command", f"/{visible(command['name'])}", _first_line(command["description"])]
    for flag in module["flags"]:
        yield ["flag", f"--{visible(flag['name'])}", f"{flag['description']} (default: {_short(flag['default'])})"]
    for shortcut in module["shortcuts"]:
        yield ["shortcut", visible(shortcut["key"]), _first_line(shortcut["description"])]
    for renderer in module["renderers"]:
        yield ["draws", f"{renderer['kind']} {visible(renderer['name'])}"]
    for provider in module["providers"]:
        yield ["provider", visible(provider)]


def _arguments(parameters: Any) -> str:
    schema = parameters if isinstance(parameters, dict) else {}
    properties = schema.get("properties")
    required = schema.get("required") or ()
    names = properties if isinstance(properties, dict) else {}
    return ", ".join(visible(name) if name in required else f"{visible(name)}?" for name in names)


def _step_rows(step: Done) -> Iterator[list[str]]:
    if step.error:
        yield ["not done", visible(step.error)]
    elif step.kind == EVENT:
        for field, (before, after) in step.outcome.items():
            yield [visible(field), f"{_short(before)} -> {_short(after)}"]
    elif step.kind == TOOL:
        for number, line in enumerate(step.outcome["text"].splitlines() or [""]):
            yield [("failed" if step.outcome["is_error"] else "result") if number == 0 else "", visible(line)]
    for name, value in step.outcome.items() if step.kind not in (EVENT, TOOL) else ():
        yield [name, _short(value)]
    for name, values in step.did.items():
        if name == "drawn":
            yield from _drawing(values)
            continue
        items = values.items() if isinstance(values, dict) else [("", each) for each in values]
        for key, value in items:
            yield [_LABELS.get(name, name), _record_text(name, key, value)]


def _drawing(pictures: list[list[str]]) -> Iterator[list[str]]:
    """Line for line as it stood on the screen, without its colours."""
    for picture in pictures:
        for number, line in enumerate(picture):
            yield [_LABELS["drawn"] if number == 0 else "", f"| {visible(cleaned(line).rstrip())}"]


def _record_text(name: str, key: str, value: Any) -> str:
    if name == "notices":
        return f"{value['level']}: {visible(value['text'])}"
    if name == "asked":
        return f"{value['kind']} {_short(value['title'])}, answered {_short(value['answer'])}"
    if name in ("statuses", "widgets"):
        return f"{visible(key)}: {'removed' if value is None else _short(value)}"
    if name == "entries":
        return f"{visible(value.get('customType'))}: {_short(value.get('data'))}"
    return _short(value)


def _first_line(text: str) -> str:
    return visible(text.strip().partition("\n")[0])


def _short(value: Any) -> str:
    text = visible(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _WIDE else f"{text[: _WIDE - 4]} ..."

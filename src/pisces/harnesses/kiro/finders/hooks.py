"""Kiro's hooks: JSON files with a list `hooks`, and older `*.kiro.hook` files that are one hook each.

An action runs a command or asks the agent. A hook with `enabled: false` is off.
"""

from __future__ import annotations

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, read_object
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.hook_switch import hook_held, hook_off
from pisces.files import entries, is_file
from pisces.shapes.field import Keys
from pisces.shapes.hook import Hook, in_seconds
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KIRO_HOOK_EVENT = Rule("kiro-hook-event", WARNING, "A hook waits for a trigger that Kiro does not have")
KIRO_HOOK_SHAPE = Rule("kiro-hook-shape", ERROR, "A hook does not have the shape that Kiro reads")

_TRIGGERS = frozenset(
    """
    SessionStart Stop PreToolUse PostToolUse PreTaskExec PostTaskExec UserPromptSubmit PostFileCreate PostFileSave
    PostFileDelete Manual
    fileEdited fileCreated fileDeleted userTriggered promptSubmit agentStop preToolUse postToolUse preTaskExecution
    postTaskExecution
    """.split()
)
_SPEAKS = {"command": "command", "runCommand": "command", "agent": "prompt", "askAgent": "prompt"}


class _Entry(Value):
    """A hook of either generation; `keys` lead to it in its file."""

    fields: dict[str, Any]
    keys: Keys
    event: Any
    matcher: Any
    action: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.fields.get("name") or self.event or "")

    @property
    def speaks(self) -> str:
        """The field of the action that stands for the hook; empty for a type that Kiro does not have."""
        return _SPEAKS.get(str(self.action.get("type")), "")

    @property
    def command(self) -> str:
        command = self.action.get(self.speaks)
        return command if isinstance(command, str) else ""


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        if entry.name.endswith(".json") and is_file(entry):
            yield from read_object(entry.path, JSON, where.run, lambda file: _listed(file, where))
        elif entry.name.endswith(".hook") and is_file(entry):
            yield from read_object(entry.path, JSON, where.run, lambda file: _older(file, where))


def _listed(file: ConfigFile, where: Where) -> FinderResults:
    listed = file.part(("hooks",))
    if not isinstance(listed, list):
        yield KIRO_HOOK_SHAPE.at(file.path, "`hooks` must be a list", place=file.place("hooks"))
        return
    for index, hook in enumerate(listed):
        fields, action = _object(hook), _object(_object(hook).get("action"))
        entry = _Entry(fields, ("hooks", index), fields.get("trigger"), fields.get("matcher"), action)
        yield from _switched(file, entry, where)


def _older(file: ConfigFile, where: Where) -> FinderResults:
    when, action = _object(file.value.get("when")), _object(file.value.get("then"))
    matcher = when.get("patterns", when.get("toolTypes"))
    yield from _switched(file, _Entry(file.value, (), when.get("type"), matcher, action), where)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _switched(file: ConfigFile, entry: _Entry, where: Where) -> FinderResults:
    found = _hook(file, entry, where)
    if isinstance(found, Found) and entry.fields.get("enabled") is False:
        yield hook_off(file, entry.keys, entry.name)
        found = found.replace(held=hook_held(file, entry.keys, "enabled"))
    yield found


def _hook(file: ConfigFile, entry: _Entry, where: Where) -> Found[Hook] | Diagnostic:
    place = file.place(*entry.keys)
    if not isinstance(entry.event, str) or not entry.command:
        message = "a hook needs a trigger, and an action with a command or a prompt"
        return KIRO_HOOK_SHAPE.at(file.path, message, place=place, about=entry.name)
    if entry.event not in _TRIGGERS:
        message = f"there is no trigger `{entry.event}`"
        return KIRO_HOOK_EVENT.at(file.path, message, place=place, about=entry.name)
    timeout = entry.fields.get("timeout", entry.action.get("timeout"))
    return where.found(
        Hook(
            event=entry.event,
            matcher=entry.matcher,
            command=entry.command,
            path=file.path,
            dialect=where.harness_id,
            fields=entry.fields,
            group={},
            keys=entry.keys,
            name=entry.name,
            type=entry.speaks,
            timeout=timeout,
            seconds=in_seconds(timeout),
        )
    )

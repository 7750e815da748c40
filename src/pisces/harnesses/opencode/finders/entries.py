"""Commands and subagents that stand in an OpenCode configuration file, under `command` and `agent`."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import LENIENT, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.json import JsonObject
from pisces.shapes.command import Command
from pisces.shapes.subagent import Subagent

OPENCODE_ENTRY = Rule("opencode-entry", ERROR, "An entry in an OpenCode configuration cannot be used")

_KEYS = {"commands": "command", "subagents": "agent"}


def find(where: Where) -> FinderResults:
    file = config_at(where.path, LENIENT, where.run)
    if not isinstance(file, Diagnostic) and file is not None and isinstance(file.value, dict):
        yield from _entries(where, file, _KEYS[where.capability])  # a broken file is reported by the settings


def _entries(where: Where, file: ConfigFile, key: str) -> FinderResults:
    listed = file.part((key,))
    if listed is not None and not isinstance(listed, dict):
        yield file.not_object((key,))
        return
    for name, entry in (listed or {}).items():
        flaw = _flaw(key, entry)
        if flaw:
            yield OPENCODE_ENTRY.at(file.path, f"{key} `{name}` {flaw}", place=file.place(key, name), about=name)
        else:
            yield where.found(_command(name, entry, file) if key == "command" else _subagent(name, entry, file))


def _flaw(key: str, entry: object) -> str:
    if not isinstance(entry, dict):
        return "is not an object"
    return "has no text `template`" if key == "command" and not isinstance(entry.get("template"), str) else ""


def _command(name: str, entry: JsonObject, file: ConfigFile) -> Command:
    description, keys = str(entry.get("description") or ""), ("command", name)
    return Command(name, name, description, file.path, "opencode", entry, keys=keys)


def _subagent(name: str, entry: JsonObject, file: ConfigFile) -> Subagent:
    tools = entry.get("tools")
    allowed = tuple(tool for tool, on in tools.items() if on) if isinstance(tools, dict) else None
    prompt, model = (text if isinstance(text := entry.get(field), str) else "" for field in ("prompt", "model"))
    description, keys = str(entry.get("description") or ""), ("agent", name)
    return Subagent(name, description, file.path, entry, prompt, "local", allowed, model, keys)

"""Codex's agent roles: every TOML file below an agents folder that says name, description and instructions.

Of two files in one folder with the same name the first by path counts, the other is reported.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import TOML, ConfigFile, config_at
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.files import walk
from pisces.shapes.subagent import Subagent

CODEX_AGENT_INCOMPLETE = Rule("codex-agent-incomplete", ERROR, "An agent file for Codex lacks a text that Codex needs")
CODEX_AGENT_TWICE = Rule("codex-agent-twice", WARNING, "Two agent files for Codex have the same name")

NEEDS = ("name", "description", "developer_instructions")


def find(where: Where) -> FinderResults:
    taken: dict[str, str] = {}
    for path in sorted(entry.path for entry in walk(where.path) if entry.name.endswith(".toml")):
        file = config_at(path, TOML, where.run)
        if isinstance(file, Diagnostic):
            yield file.replace(about=_stem(path))
        elif file is not None:
            yield _role(where, file, taken)


def _role(where: Where, file: ConfigFile, taken: dict[str, str]) -> Found | Diagnostic:
    texts = {field: _text(file.value.get(field)) for field in NEEDS}
    name = texts["name"] or _stem(file.path)
    missing = " and ".join(f"`{field}`" for field in NEEDS if not texts[field])
    if missing:
        return CODEX_AGENT_INCOMPLETE.at(file.path, f"{missing} must be a text that is not blank", about=name)
    if name in taken:
        message = f"`{name}` is already taken by {os.path.basename(taken[name])}"
        return CODEX_AGENT_TWICE.at(file.path, message, place=file.place("name"), about=name)
    taken[name] = file.path
    prompt, model = texts["developer_instructions"], _text(file.value.get("model"))
    return where.found(Subagent(name, texts["description"], file.path, file.value, prompt, model=model))


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]

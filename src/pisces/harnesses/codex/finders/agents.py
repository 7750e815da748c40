"""Codex's agent roles: the tables of `[agents]` in config.toml, then every TOML file in the agents folder beside it.

A file must say name, description and instructions. A table needs a description only, its own or that of its
`config_file`, which may have another name and counts once. Of two files
with one name the first counts, and the other is reported.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import TOML, ConfigFile, config_at
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.files import walk
from pisces.harnesses.codex.layers import CONFIG
from pisces.shapes.subagent import Subagent

CODEX_AGENT_INCOMPLETE = Rule("codex-agent-incomplete", ERROR, "An agent file for Codex lacks a text that Codex needs")
CODEX_AGENT_TWICE = Rule("codex-agent-twice", WARNING, "Two agent files for Codex have the same name")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NEEDS = ("name", "description", "developer_instructions")


def find(where: Where) -> FinderResults:
    """The path is a config.toml or the folder beside it."""
    if os.path.basename(where.path) == CONFIG:
        yield from _declared(where)
        return
    taken: dict[str, str] = {}
    named = {path for _key, path in _tables(os.path.join(os.path.dirname(where.path), CONFIG), where)}
    for path in sorted(
        entry.path for entry in walk(where.path, cut=where.run.cuts.append) if entry.name.endswith(".toml")
    ):
        file = config_at(path, TOML, where.run) if os.path.normpath(path) not in named else None
        if isinstance(file, Diagnostic):
            yield file.replace(about=_stem(path))
        elif file is not None:
            yield _role(where, file, taken)


def _tables(config_path: str, where: Where) -> Iterator[tuple[str, str]]:
    """The name of each role in a configuration, and the file that it names. Other keys are settings of all agents."""
    config = config_at(config_path, TOML, where.run)
    roles = config.part(("agents",)) if isinstance(config, ConfigFile) else None
    for key, table in roles.items() if isinstance(roles, dict) else ():
        if isinstance(table, dict):
            named = table.get("config_file")
            folder = os.path.dirname(config_path)
            yield key, os.path.normpath(os.path.join(folder, named)) if isinstance(named, str) else ""


def _declared(where: Where) -> FinderResults:
    config = config_at(where.path, TOML, where.run)
    if not isinstance(config, ConfigFile):
        return  # its servers are found in the same file, and say what is wrong with it
    for key, path in _tables(where.path, where):
        file = config_at(path, TOML, where.run) if path else config
        if isinstance(file, ConfigFile):
            yield _from_table(where, config, key, file)
        else:
            message, place = f"`config_file` of `{key}` cannot be read", config.place("agents", key)
            yield CODEX_AGENT_INCOMPLETE.at(config.path, message, place=place, about=key)


def _from_table(where: Where, config: ConfigFile, key: str, file: ConfigFile) -> Found | Diagnostic:
    table = config.part(("agents", key))
    fields = file.value if file is not config else {}
    name = _text(fields.get("name")) or key
    description = _text(fields.get("description")) or _text(table.get("description"))
    if not description:
        place = config.place("agents", key)
        message = "`description` must be a text that is not blank"
        return CODEX_AGENT_INCOMPLETE.at(config.path, message, place=place, about=name)
    prompt, model = _text(fields.get("developer_instructions")), _text(fields.get("model"))
    keys = ("agents", key) if file is config else ()
    return where.found(Subagent(name, description, file.path, {**table, **fields}, prompt, model=model, keys=keys))


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

"""A single file that belongs to no package: what it is, told by its name and place, and read by its own finder."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.found import PROJECT, Found
from pisces.discovery.harness import Run, Where, finder_named
from pisces.shapes.context_file import ContextFile
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.check.pages import Pages
    from pisces.places import Places

NOTHING_TO_CHECK = Rule(
    "nothing-to-check",
    ERROR,
    "There is nothing to check",
    "No harness would load anything from this path: no manifest, no skill, no command, no configuration.",
    "pisces check src/",
    "pisces check path/to/the/package",
)


class Reading(Value):
    """How a lone file is read: the capability, whose dialect, and the finder with the path that it is given."""

    capability: str
    dialect: str
    finder: str
    at: str
    options: Mapping[str, Any] = EMPTY


def read_alone(path: str, places: Places, pages: Pages) -> tuple[Reading | None, list[Found | Diagnostic]]:
    reading = reading_of(path, pages)
    if reading is None:
        message = "no harness loads a file of this name from this place"
        return None, [NOTHING_TO_CHECK.at(path, message, hint="pisces check FOLDER looks at a whole package")]
    where = Where(places, Run(), reading.capability, reading.dialect, "", PROJECT, reading.at, reading.options)
    if not reading.finder:
        return reading, [where.found(ContextFile(path, PROJECT))]
    find = finder_named(reading.finder)
    return reading, [each for each in find(where) if _path_of(each) == path]


def reading_of(path: str, pages: Pages) -> Reading | None:
    name = os.path.basename(path)
    if name.endswith(".toml"):
        return _toml(path, pages)
    if name.endswith(".json"):
        return _json(path, name, pages)
    if name.endswith(".md"):
        return _markdown(path, name)
    return None


def _toml(path: str, pages: Pages) -> Reading:
    folder = os.path.dirname(path)
    values = pages.toml(path)
    if os.path.basename(folder) == "policies" or (isinstance(values, dict) and "rule" in values):
        return Reading("policies", "gemini", "gemini.policies", folder, {"tier": 3})
    return Reading("commands", "gemini", "toml_commands", _above(path, "commands") or folder)


def _json(path: str, name: str, pages: Pages) -> Reading | None:
    if name in (".mcp.json", "mcp.json"):
        return Reading("mcp-servers", "mcp-json", "mcp_config", path, {"flat": True})
    values = pages.json(path)
    hooks = values.get("hooks") if isinstance(values, dict) else None
    if not isinstance(hooks, dict) and name != "hooks.json":
        return None
    if isinstance(values, dict) and "version" in values:
        return Reading("hooks", "cursor", "flat_hooks", path)
    if _is_claude(path, hooks if isinstance(hooks, dict) else {}):
        return Reading("hooks", "claude", "grouped_hooks", path)
    return Reading("hooks", "gemini", "gemini.hooks", path)


def _is_claude(path: str, hooks: dict[str, Any]) -> bool:
    if _above(path, ".gemini"):
        return False
    known = export_of("pisces.discovery.finders", "grouped_hooks", "EVENTS")
    gemini = export_of("pisces.harnesses.gemini.finders", "hooks", "EVENTS")
    return bool(_above(path, ".claude")) or sum(event in known for event in hooks) > sum(
        each in gemini for each in hooks
    )


def _markdown(path: str, name: str) -> Reading | None:
    folder = os.path.dirname(path)
    claude = bool(_above(path, ".claude"))
    if name in ("GEMINI.md", "AGENTS.md", "CLAUDE.md"):
        return Reading("context-files", "gemini" if name == "GEMINI.md" else "agents-md", "", path)
    if agents := _above(path, "agents"):
        if claude:
            return Reading("subagents", "claude", "markdown_agents", agents, {"recursive": True, "lenient": True})
        return Reading("subagents", "gemini", "gemini.agents", folder)
    if commands := _above(path, "commands"):
        return Reading("commands", "claude", "markdown_commands", commands, {"lenient": True})
    return None


def _above(path: str, name: str) -> str:
    """The nearest folder of this name above a path."""
    folder = os.path.dirname(path)
    while os.path.basename(folder):
        if os.path.basename(folder) == name:
            return folder
        folder = os.path.dirname(folder)
    return ""


def _path_of(each: Found | Diagnostic) -> str:
    return each.path if isinstance(each, Diagnostic) else each.source.path

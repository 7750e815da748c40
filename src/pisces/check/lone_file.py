"""A single file that belongs to no package: what it is, told by its name and place, and read by its own finder."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.found import PROJECT, Found
from pisces.discovery.harness import Finder, Run, Where, passed_on
from pisces.discovery.options import (
    TOML_COMMANDS,
    EventHooks,
    FlatHooks,
    GroupedHooks,
    MarkdownAgents,
    MarkdownCommands,
    McpConfig,
)
from pisces.shapes.context_file import ContextFile
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.check.pages import Pages
    from pisces.discovery.harness import FinderOptions
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
    """How a lone file is read: the capability, whose dialect, and what is said to the finder, with the path."""

    capability: str
    dialect: str
    options: FinderOptions | None
    at: str


def read_alone(path: str, places: Places, pages: Pages) -> tuple[Reading | None, list[Found | Diagnostic]]:
    reading = reading_of(path, pages)
    if reading is None:
        message = "no harness loads a file of this name from this place"
        return None, [NOTHING_TO_CHECK.at(path, message, hint="pisces check FOLDER looks at a whole package")]
    where = Where(places, Run(), reading.capability, reading.dialect, "", PROJECT, reading.at)
    if reading.options is None:
        return reading, [where.found(ContextFile(path, PROJECT))]
    return reading, [each for each in passed_on(where, reading.options, reading.at) if _path_of(each) == path]


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
        return Reading("policies", "gemini", export_of("pisces.harnesses", "gemini", "Policies")(3), folder)
    return Reading("commands", "gemini", TOML_COMMANDS, _above(path, "commands") or folder)


def _json(path: str, name: str, pages: Pages) -> Reading | None:
    if name in (".mcp.json", "mcp.json"):
        return Reading("mcp-servers", "mcp-json", McpConfig(flat=True), path)
    values = pages.json(path)
    hooks = values.get("hooks") if isinstance(values, dict) else None
    if not isinstance(hooks, dict) and name != "hooks.json":
        return None
    if isinstance(values, dict) and "version" in values:
        return Reading("hooks", "cursor", FlatHooks(), path)
    if _is_claude(path, hooks if isinstance(hooks, dict) else {}):
        return Reading("hooks", "claude", GroupedHooks(), path)
    return Reading("hooks", "gemini", EventHooks("gemini"), path)


def _is_claude(path: str, hooks: dict[str, Any]) -> bool:
    if _above(path, ".gemini"):
        return False
    known = export_of("pisces.discovery.finders", "grouped_hooks", "EVENTS")
    gemini = export_of("pisces.discovery.finders", "event_hooks", "EVENTS")
    return bool(_above(path, ".claude")) or sum(event in known for event in hooks) > sum(
        each in gemini for each in hooks
    )


def _markdown(path: str, name: str) -> Reading | None:
    folder = os.path.dirname(path)
    claude = bool(_above(path, ".claude"))
    if name in ("GEMINI.md", "AGENTS.md", "CLAUDE.md"):
        return Reading("context-files", "gemini" if name == "GEMINI.md" else "agents-md", None, path)
    if agents := _above(path, "agents"):
        if claude:
            return Reading("subagents", "claude", MarkdownAgents(recursive=True, lenient=True), agents)
        return Reading("subagents", "gemini", Finder("pisces.harnesses.gemini.finders.agents"), folder)
    if commands := _above(path, "commands"):
        return Reading("commands", "claude", MarkdownCommands(lenient=True), commands)
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

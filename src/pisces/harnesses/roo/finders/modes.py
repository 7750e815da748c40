"""Roo Code's custom modes: the list `customModes` of a YAML file, which may be JSON. One bad entry refuses all."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import JSON, YAML, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.state import REFUSED, State
from pisces.shapes.subagent import Subagent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROO_MODE = Rule("roo-mode", ERROR, "A custom mode that Roo Code cannot use, and with it every mode of the file")

_SLUG = re.compile(r"[a-zA-Z0-9-]+")


def find(where: Where) -> FinderResults:
    file = _read(where)
    if isinstance(file, Diagnostic):
        yield file
        return
    listed = file.part(("customModes",)) if file else None
    if file is None or not listed:
        return
    flaw = _flaw(listed)
    if flaw:
        index, message = flaw
        place = file.place("customModes", *index)
        yield ROO_MODE.at(file.path, message, place=place, about="customModes")
        reason = f"Roo Code drops every mode of the file: {message}"
        where = where.replace(held=State(REFUSED, reason, file.path, place[0], "mend that mode"))
    for number, mode in enumerate(listed if isinstance(listed, list) else ()):
        if not _misfit(mode):
            yield where.found(_mode(mode, number, file.path))


def _read(where: Where) -> ConfigFile | Diagnostic | None:
    file = config_at(where.path, YAML, where.run)
    as_json = config_at(where.path, JSON, where.run) if isinstance(file, Diagnostic) else None
    return as_json if isinstance(as_json, ConfigFile) else file


def _flaw(listed: Any) -> tuple[tuple[int, ...], str] | None:
    if not isinstance(listed, list):
        return (), "`customModes` must be a list"
    seen: set[str] = set()
    for index, mode in enumerate(listed):
        message = _misfit(mode) or (f"there are two modes `{mode['slug']}`" if mode["slug"] in seen else "")
        if message:
            return (index,), message
        seen.add(mode["slug"])
    return None


def _misfit(mode: Any) -> str:
    if not isinstance(mode, dict):
        return "a mode must be an object"
    for field in ("slug", "name", "roleDefinition"):
        if not isinstance(mode.get(field), str) or not mode[field]:
            return f"a mode needs a text `{field}`"
    if not _SLUG.fullmatch(mode["slug"]):
        return f"a slug may have letters, digits and dashes only, not `{mode['slug']}`"
    return "" if isinstance(mode.get("groups"), list) else "a mode needs a list `groups`"


def _mode(mode: dict[str, Any], index: int, path: str) -> Subagent:
    """`groups` are groups of tools, each a name or a name with options."""
    prompt = "\n\n".join(str(mode[field]) for field in ("roleDefinition", "customInstructions") if mode.get(field))
    tools = tuple(str(group[0] if isinstance(group, list) and group else group) for group in mode["groups"])
    description = str(mode.get("description") or mode.get("whenToUse") or "")
    return Subagent(mode["slug"], description, path, mode, prompt, tools=tools, keys=("customModes", index))

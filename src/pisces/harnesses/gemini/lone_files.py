"""Files without a package that are Gemini CLI's: TOML commands and policies, GEMINI.md, subagents, hooks.

A hooks file that another harness could have written just as well is read as Gemini CLI's.
"""

from __future__ import annotations

import os

from pisces.checking.lone_file import BY_NAME, LoneFile, Reading
from pisces.discovery.finders.event_hooks import EVENTS
from pisces.discovery.harness import Finder
from pisces.discovery.options import TOML_COMMANDS, EventHooks
from pisces.harnesses.gemini import Policies


def reading(file: LoneFile) -> Reading | None:
    if file.name.endswith(".toml"):
        values = file.pages.toml(file.path)
        if os.path.basename(file.folder) == "policies" or (isinstance(values, dict) and "rule" in values):
            return Reading("policies", Policies(3), file.folder)
        return Reading("commands", TOML_COMMANDS, file.above("commands") or file.folder)
    if file.hooks is not None:
        known = sum(event in EVENTS for event in file.hooks)
        return Reading("hooks", EventHooks("gemini"), file.path, weight=file.by_place(".gemini") or 2 * known + 1)
    if file.name == "GEMINI.md":
        return Reading("context-files", None, file.path, weight=BY_NAME)
    if file.name.endswith(".md") and file.above("agents"):
        return Reading("subagents", Finder("pisces.harnesses.gemini.finders.agents"), file.folder)
    return None

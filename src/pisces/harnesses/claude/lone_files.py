"""Files without a package that are Claude Code's: what lies below `.claude`, Markdown commands, hooks."""

from __future__ import annotations

from pisces.checking.lone_file import LoneFile, Reading
from pisces.discovery.finders.grouped_hooks import EVENTS
from pisces.discovery.options import GroupedHooks, MarkdownAgents, MarkdownCommands


def reading(file: LoneFile) -> Reading | None:
    own = file.by_place(".claude")
    if file.hooks is not None:
        known = sum(event in EVENTS for event in file.hooks)
        return Reading("hooks", GroupedHooks(), file.path, weight=own or 2 * known)
    if not file.name.endswith(".md"):
        return None
    if agents := file.above("agents"):
        options = MarkdownAgents(recursive=True, lenient=True)
        return Reading("subagents", options, agents, weight=own) if own else None
    if commands := file.above("commands"):
        return Reading("commands", MarkdownCommands(lenient=True), commands)
    return None

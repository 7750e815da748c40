"""Subagents of Claude Code, by name, as it lists them. Of one name: managed, project (nearest first), user, plugins."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Look, Where, search
from pisces.discovery.options import Managed, MarkdownAgents, Upward
from pisces.discovery.state import INVALID, State
from pisces.harnesses.claude import WithSettings

_AGENTS = MarkdownAgents(recursive=True, no_colon=True, lenient=True, skipped=())


def find(where: Where[WithSettings]) -> FinderResults:
    if where.harness is None:
        return
    looks = (
        Look(Managed(where.options.managed, ".claude/agents", _AGENTS)),
        Look(Upward((".claude/agents",), _AGENTS), "cwd:"),
        Look(_AGENTS, "user:agents"),
        Look(where.options.replace(FINDER="pisces.harnesses.claude.finders.plugins")),
    )
    read = list(search(where.harness.replace(looks={"subagents": lambda: looks}), "subagents", where.places, where.run))
    yield from (each for each in read if isinstance(each, Diagnostic))
    found = [_named(each) for each in read if not isinstance(each, Diagnostic)]
    yield from sorted(found, key=lambda each: str(each.item.name).casefold())


def _named(found: Found) -> Found:
    """A number is no name."""
    if found.package or found.held or isinstance(found.item.fields.get("name", ""), str):
        return found
    return found.replace(held=State(INVALID, "`name` must be text", found.source.path, 0, "put it in quotes"))

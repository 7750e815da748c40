"""Context files of a project in Claude Code: CLAUDE.md and rules, from the top of the file system down.

Where no folder on the way has a CLAUDE.md that counts, AGENTS.md stands for it.
"""

from __future__ import annotations

import os

from pisces.discovery.finders import context_walk
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import ContextWalk
from pisces.harnesses.claude import CONTEXT_FILE, WithSettings
from pisces.harnesses.claude.states import state_of

_OWN = (CONTEXT_FILE, ".claude/CLAUDE.md", ".claude/rules/*", "CLAUDE.local.md")
_INSTEAD = ("AGENTS.md", ".claude/AGENTS.md")


def find(where: Where[WithSettings]) -> FinderResults:
    found = list(_walk(_OWN, where))
    if any(_counts(each, where) for each in found if isinstance(each, Found)):
        yield from found
    else:
        yield from _walk((*_INSTEAD, *_OWN), where)


def _walk(names: tuple[str, ...], where: Where[WithSettings]) -> FinderResults:
    return context_walk.find(where.given(ContextWalk(names, walk=True, top=True), where.path))


def _counts(found: Found, where: Where[WithSettings]) -> bool:
    name = os.path.basename(found.item.path)
    return name in (CONTEXT_FILE, "CLAUDE.local.md") and state_of("context-files", found, where) is None

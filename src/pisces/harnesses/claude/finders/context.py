"""Context files of a project in Claude Code: CLAUDE.md and rules, from the top of the file system down.

Where no folder on the way has a CLAUDE.md that counts, AGENTS.md stands for it. One without any text does not count.
"""

from __future__ import annotations

import os

from pisces.discovery.containment import passes_link, stays_inside
from pisces.discovery.finders import context_walk
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import ContextWalk
from pisces.discovery.state import REFUSED, State
from pisces.discovery.worktree import main_checkout
from pisces.harnesses.claude import CONTEXT_FILE, WithSettings
from pisces.harnesses.claude.folders import repository_root
from pisces.harnesses.claude.states import is_blank, state_of

_OWN = (CONTEXT_FILE, ".claude/CLAUDE.md", ".claude/rules/*", "CLAUDE.local.md")
_RULES = os.sep + os.path.join(".claude", "rules", "")
_INSTEAD = ("AGENTS.md", ".claude/AGENTS.md")


def find(where: Where[WithSettings]) -> FinderResults:
    found = list(_walk(_OWN, where))
    if any(_counts(each, where) for each in found if isinstance(each, Found)):
        yield from found
    else:
        yield from _walk((*_INSTEAD, *_OWN), where)


def _walk(names: tuple[str, ...], where: Where[WithSettings]) -> FinderResults:
    """Of a worktree inside its own main checkout, the files of that checkout do not count: it has them itself."""
    root = repository_root(where.places)
    main = main_checkout(root)
    for each in context_walk.find(where.given(ContextWalk(names, walk=True, top=True), where.path)):
        path = each.item.path if isinstance(each, Found) else ""
        if not (main and _is_below(path, main) and _is_below(root, main)) or _is_below(path, root):
            yield each.replace(held=_stray(path, where)) if isinstance(each, Found) and each.held is None else each


def _stray(path: str, where: Where[WithSettings]) -> State | None:
    """A rule that a link leads to counts where it lies below the current directory."""
    folder, rules, _ = path.partition(_RULES)
    if not rules or not passes_link(path, folder) or stays_inside(path, where.places.cwd):
        return None
    return State(REFUSED, "it is a link that leads out of the current directory", path, 0, "put the file there")


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + os.sep)


def _counts(found: Found, where: Where[WithSettings]) -> bool:
    path: str = found.item.path
    own = os.path.basename(path) in (CONTEXT_FILE, "CLAUDE.local.md") and not is_blank(path)
    return own and state_of("context-files", found, where) is None

"""Instruction files of all harnesses that OpenHands reads: here, then at the repository's root.

Names count in any spelling. The nearer file hides the one of its kind at the root, and AGENTS.md and AGENT.md are one
kind. A link to a file that counts already adds nothing. Those in subfolders count once a file beside them is touched,
so they are not listed.
"""

from __future__ import annotations

import os

from pisces.discovery.finders.upward import repository_folders
from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_file
from pisces.shapes.context_file import ContextFile

_KINDS = {
    ".cursorrules": "cursorrules",
    "agents.md": "agents",
    "agent.md": "agents",
    "claude.md": "claude",
    "gemini.md": "gemini",
}


def find(where: Where) -> FinderResults:
    above = repository_folders(where.places)
    seen: set[str] = set()
    for folder in dict.fromkeys((above[0], above[-1])):
        real: set[str] = set()
        for entry in entries(folder):
            kind, target = _KINDS.get(entry.name.lower()), os.path.realpath(entry.path)
            if kind is None or kind in seen or target in real or not is_file(entry):
                continue
            seen.add(kind)
            real.add(target)
            yield where.found(ContextFile(entry.path, os.path.relpath(folder, where.places.cwd)))

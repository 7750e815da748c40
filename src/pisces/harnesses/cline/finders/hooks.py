"""Cline's hooks: scripts in a folder, named for the event that starts them, with or without a known suffix.

The name counts in any case. A file is code that would be run, so its path stands for the command.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_file
from pisces.shapes.hook import Hook

_EVENTS = {
    name.lower(): name
    for name in """
    TaskStart TaskResume TaskCancel TaskComplete TaskError PreToolUse PostToolUse UserPromptSubmit PreCompact
    SessionShutdown
    """.split()
}
_SUFFIXES = frozenset(("", ".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".ps1"))


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        stem, suffix = os.path.splitext(entry.name)
        event = _EVENTS.get(stem.strip().lower())
        if event and suffix.lower() in _SUFFIXES and is_file(entry):
            yield where.found(Hook(event, None, entry.path, entry.path, where.harness_id, {}, {}, (), entry.name))

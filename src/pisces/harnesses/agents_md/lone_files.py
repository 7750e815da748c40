"""Context files that several harnesses read."""

from __future__ import annotations

from pisces.checking.lone_file import BY_NAME, LoneFile, Reading


def reading(file: LoneFile) -> Reading | None:
    shared = file.name in ("AGENTS.md", "CLAUDE.md")
    return Reading("context-files", None, file.path, weight=BY_NAME) if shared else None

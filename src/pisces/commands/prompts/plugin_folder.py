"""The Claude Code plugin that a file belongs to: what `${CLAUDE_PLUGIN_ROOT}` stands for in its commands."""

from __future__ import annotations

import os

MANIFEST = os.path.join(".claude-plugin", "plugin.json")
_NOT_PARTS = (".claude",)  # a repository's own commands belong to no plugin, even where the repository is one


def plugin_folder(path: str) -> str:
    """The nearest folder above with a manifest; nothing where there is none."""
    folder = os.path.dirname(path)
    while os.path.basename(folder) not in _NOT_PARTS and os.path.dirname(folder) != folder:
        if os.path.isfile(os.path.join(folder, MANIFEST)):
            return folder
        folder = os.path.dirname(folder)
    return ""

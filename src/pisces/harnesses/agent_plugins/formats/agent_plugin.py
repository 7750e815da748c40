"""An Agent Plugin: `plugin.json` at the root, `skills/*/SKILL.md` and `mcp.json`, and nothing else (agent-plugins.org).

Other tools use a root `plugin.json` too. A folder counts as an Agent Plugin when the manifest mentions the standard, or
when nothing else in the folder belongs to another tool.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat
from pisces.files import Unreadable, read_text
from pisces.harnesses.agent_plugins.manifest import FILE, read_plugin

_OF_OTHERS = (
    ".claude-plugin",
    ".codex-plugin",
    ".cursor-plugin",
    ".github/plugin",
    "gemini-extension.json",
    "qwen-extension.json",
    "mcp_config.json",
    "hooks.json",
    "hooks",
    "agents",
    "commands",
)


def _fits(folder: str) -> bool:
    path = os.path.join(folder, FILE)
    if not os.path.lexists(path):
        return False
    try:
        if "agent-plugins.org/" in read_text(path):
            return True
    except Unreadable:
        pass  # then its neighbours decide, and reading the manifest says what is wrong with it
    alone = not any(os.path.lexists(os.path.join(folder, *other.split("/"))) for other in _OF_OTHERS)
    return alone and any(os.path.lexists(os.path.join(folder, part)) for part in ("skills", "mcp.json"))


FORMAT = PackageFormat(
    id="agent-plugin",
    label="Agent Plugin",
    manifest=FILE,
    rank=30,
    harness="agent-plugins",
    looks={
        "skills": (Look("agent_skills", "package:skills", {"exact": True}),),
        "mcp-servers": (Look("agent_plugins.servers", "package:mcp.json"),),
    },
    fits_folder=_fits,
    reader=read_plugin,
)

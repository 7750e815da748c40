"""An Agent Plugin: `plugin.json` at the root, `skills/*/SKILL.md`, `mcp.json`, folders of clients (agent-plugins.org).

Other tools use a root `plugin.json` too. A folder counts as an Agent Plugin when the manifest mentions the standard, or
when it names no components and nothing else in the folder belongs to another tool.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import Finder, Look, all_harnesses
from pisces.discovery.package_format import PackageFormat
from pisces.discovery.package_options import AgentSkills
from pisces.files import Unreadable, read_text
from pisces.harnesses.agent_plugins.manifest import FILE, read_plugin
from pisces.harnesses.agent_plugins.namespaces import namespace_looks

_NOT_OF_PLUGINS = ("mcp_config.json", "hooks.json", "hooks", "agents", "commands")
_NAMED_BY_OTHERS = ("skills", "agents", "commands", "hooks", "mcpServers", "lspServers")


def _fits(folder: str) -> bool:
    path = os.path.join(folder, FILE)
    if not os.path.lexists(path):
        return False
    try:
        text = read_text(path)
        if "agent-plugins.org/" in text:
            return True
        if any(f'"{key}"' in text for key in _NAMED_BY_OTHERS):
            return False
    except Unreadable:
        pass  # then its neighbours decide, and reading the manifest says what is wrong with it
    others = (*_marks_of_others(), *_NOT_OF_PLUGINS)
    alone = not any(os.path.lexists(os.path.join(folder, *other.split("/"))) for other in others)
    return alone and any(os.path.lexists(os.path.join(folder, part)) for part in ("skills", "mcp.json"))


def _marks_of_others() -> list[str]:
    """Files and folders that only the packages of other harnesses have: for `.x-plugin/plugin.json`, its folder."""
    others = [each for each in all_harnesses() if FILE not in each.manifests]
    return [mark for each in others for mark in (*(_folder_or_file(name) for name in each.manifests), *each.marks)]


def _folder_or_file(manifest: str) -> str:
    return manifest.rpartition("/")[0] or manifest


FORMAT = PackageFormat(
    id="agent-plugin",
    label="Agent Plugin",
    manifest=FILE,
    rank=30,
    harness="agent-plugins",
    looks={
        "skills": lambda: (Look(AgentSkills(exact=True), "package:skills"),),
        "mcp-servers": lambda: (Look(Finder("pisces.harnesses.agent_plugins.finders.servers"), "package:mcp.json"),),
        **namespace_looks(),
    },
    fits_folder=_fits,
    reader=read_plugin,
)

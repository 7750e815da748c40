"""Agent Plugins 1.0 (agent-plugins.org): packages in `.agents/plugins`, those of the project before those of the user.

The specification leaves the place to the client and uses `~/.agents/plugins` in its examples. It knows two kinds of
components: skills that conform to Agent Skills in every point, and servers in `mcp.json`. Commands, subagents, hooks
and rules are in folders of single clients.
"""

from __future__ import annotations

from pisces.discovery import options as find
from pisces.discovery.harness import Harness, Look

_KINDS = ("packages", "skills", "mcp-servers", "commands", "subagents", "hooks", "context-files")


def _plugins() -> tuple[Look, ...]:
    plugins = find.PackageFolders("agent-plugin")
    return Look(plugins, "project:plugins"), Look(plugins, "user:plugins")


HARNESS = Harness(
    id="agent-plugins",
    label="Agent Plugins",
    priority=75,
    user_dir="~/.agents",
    project_dir=".agents",
    manifests=("plugin.json",),
    is_program=False,
    verified="as its specification 1.0.0 says",
    looks=dict.fromkeys(_KINDS, _plugins),
)

"""Agent Plugins 1.0 (agent-plugins.org): packages in `.agents/plugins`, those of the project before those of the user.

The specification leaves the place to the client and uses `~/.agents/plugins` in its examples. It knows two kinds of
components: skills that conform to Agent Skills in every point, and servers in `mcp.json`.
"""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

_FORMAT = {"format": "agent-plugin"}
_LOOKS = (Look("package_folders", "project:plugins", _FORMAT), Look("package_folders", "user:plugins", _FORMAT))

HARNESS = Harness(
    id="agent-plugins",
    label="Agent Plugins",
    priority=75,
    user_dir="~/.agents",
    project_dir=".agents",
    looks={"packages": _LOOKS, "skills": _LOOKS, "mcp-servers": _LOOKS},
)

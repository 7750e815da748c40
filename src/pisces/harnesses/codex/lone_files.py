"""Files without a package that are Codex's: a config.toml in its folder or with servers in it."""

from __future__ import annotations

from pisces.checking.lone_file import BY_CONTENT, LoneFile, Reading
from pisces.discovery.options import McpConfig

_SERVERS = McpConfig(keys=("mcp_servers",), syntax="toml", blank=True)


def reading(file: LoneFile) -> Reading | None:
    if file.name != "config.toml":
        return None
    own = file.by_place(".codex") or "mcp_servers" in file.pages.text(file.path)
    return Reading("mcp-servers", _SERVERS, file.path, weight=BY_CONTENT) if own else None

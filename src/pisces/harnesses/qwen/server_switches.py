"""What keeps Qwen Code from starting a server: `mcp.allowed`, `mcp.excluded`, and that nobody has approved it."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSONC, config_at
from pisces.discovery.state import OFF, WAITING, Scene, State, switched
from pisces.harnesses.qwen.settings import QwenSettings
from pisces.shapes.mcp_server import McpServer


def by_lists(name: str, settings: QwenSettings) -> State | None:
    """Both lists may have `*` and `?`. All settings add to them."""
    for scope, file, index, pattern in settings.entries("mcp", "excluded"):
        if matches(name, pattern):
            keys = ("mcp", "excluded", index)
            return switched(OFF, f"`mcp.excluded` of {scope} names it", file, keys, f"`qwen mcp enable {name}`")
    allowed = list(settings.entries("mcp", "allowed"))
    last = settings.last_with("mcp", "allowed")
    if last is None or any(matches(name, pattern) for *_, pattern in allowed):
        return None
    return switched(OFF, f"`mcp.allowed` of {last[0]} does not name it", last[1], ("mcp", "allowed"), "add it there")


def matches(name: str, pattern: str) -> bool:
    """A glob in steps: each star takes as little as it can, and more where the rest does not fit. Never exponential."""
    at = step = 0
    star = (-1, -1)  # where the last star is in the pattern, and how far it reaches in the name
    while at < len(name):
        if step < len(pattern) and pattern[step] != "*" and pattern[step] in ("?", name[at]):
            at, step = at + 1, step + 1
        elif step < len(pattern) and pattern[step] == "*":
            star, step = (step, at), step + 1
        elif star[0] >= 0:
            star = (star[0], star[1] + 1)
            step, at = star[0] + 1, star[1]
        else:
            return False
    return not pattern[step:].strip("*")


def unapproved(server: McpServer, scene: Scene, settings: QwenSettings) -> State | None:
    """None for a server of the project that the user approved as it is now."""
    path = scene.places.env.get("QWEN_CODE_MCP_APPROVALS_PATH") or os.path.join(
        settings.user_folder, "mcpApprovals.json"
    )
    file = config_at(path, JSONC, scene.run)
    keys = (scene.places.cwd, server.name)
    record = None if file is None or isinstance(file, Diagnostic) else file.part(keys)
    change = f"`qwen mcp approve {server.name}`"
    if file is None or isinstance(file, Diagnostic) or not isinstance(record, dict):
        return State(WAITING, "nobody has approved it in Qwen Code", path, 0, change, True)
    if record.get("hash") != _seen_as(server, scene):
        reason = "it has changed since it was approved in Qwen Code"
        return switched(WAITING, reason, file, keys, change).replace(only_here=True)
    if record.get("status") == "approved":
        return None
    return switched(OFF, "it was rejected in Qwen Code", file, keys, change)


def _seen_as(server: McpServer, scene: Scene) -> str:
    found: str = export_of("pisces.harnesses.qwen", "approval_hash", "approval_hash")(server.config, scene.places.env)
    return found

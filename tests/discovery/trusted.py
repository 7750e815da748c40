"""What somebody leaves behind who trusts a folder, or approves a server, in harnesses that ask for it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.discovery.world import World


def trusted_in_copilot(world: World) -> None:
    world.user(".copilot/config.json", {"trustedFolders": [str(world.repository)]})


def memory_of_cursor(world: World) -> str:
    """The folder below home in which Cursor's command line remembers things about the current one."""
    return f".cursor/projects/{re.sub('[^A-Za-z0-9]+', '-', str(Path(world.cwd).resolve())).strip('-')}"


def trusted_in_cursor(world: World, *approvals: str) -> None:
    world.user(f"{memory_of_cursor(world)}/.workspace-trusted", {"workspacePath": str(world.cwd)})
    world.user(f"{memory_of_cursor(world)}/mcp-approvals.json", list(approvals))

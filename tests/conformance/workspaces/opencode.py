"""What the real OpenCode loads in a workspace: its resolved configuration and its list of skills. Nothing is run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from tests.conformance.workspaces.asking import said
from tests.conformance.workspaces.workspace import Item, Verdict, Workspace
from tests.peer_programs import OPENCODE

ENV = {
    "NO_COLOR": "1",
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_PURE": "1",
}
MARKER = re.compile(r"(?:home|code)/\S+?\.(?:md|jsonc?)\b")


def why_missing() -> str:
    return "" if OPENCODE else "needs OpenCode: ./scripts/test --peers, or PISCES_PEERS"


class OpenCode:
    kinds = ("commands", "skills", "subagents", "mcp-servers", "modules")

    def verdict(self, workspace: Workspace) -> Verdict:
        assert OPENCODE
        ran = said([OPENCODE, "debug", "config", "--pure"], workspace, **ENV)
        if ran.returncode or not ran.stdout.startswith("{"):
            return {"refused": [(" ".join((ran.stderr or ran.stdout).split()), None, "refused")]}
        config = json.loads(ran.stdout)
        skills = json.loads(said([OPENCODE, "debug", "skill", "--pure"], workspace, **ENV).stdout)
        root = workspace.home.parent
        servers, agents = config.get("mcp", {}), config.get("agent", {})
        return {
            "commands": [_item(name, each, "", root) for name, each in config.get("command", {}).items()],
            "skills": _skills([each for each in skills if each["location"].startswith("/")], root),
            "subagents": [_item(name, each, _agent_state(each), root) for name, each in agents.items()],
            "mcp-servers": [_item(name, each, _server_state(each), root) for name, each in servers.items()],
            "modules": [(Path(path).stem, path, "active") for path in map(_path, config["plugin"])],
        }


def _skills(skills: list[dict[str, str]], root: Path) -> list[Item]:
    """Of several files with one name another one wins each time, because they are read at once."""
    texts = [path.read_text("utf-8") for path in root.rglob("SKILL.md")]
    found = []
    for each in skills:
        alone = sum(f"name: {each['name']}\n" in text for text in texts) < 2
        found.append((each["name"], each["location"] if alone else None, "active"))
    return found


def _item(name: str, each: dict[str, Any], state: str, root: Path) -> Item:
    """An entry that was merged from several files has no path."""
    files = {*MARKER.findall(json.dumps(each, ensure_ascii=False))}
    return name, str(root / files.pop()) if len(files) == 1 else None, state or "active"


def _agent_state(each: dict[str, Any]) -> str:
    """An entry without a prompt and a description only changes an agent that is built in."""
    if not each.get("description") and not each.get("prompt"):
        return "inactive"
    return "off" if each.get("disable") else "active"


def _server_state(each: dict[str, Any]) -> str:
    return "inactive" if "type" not in each else "active" if each.get("enabled", True) else "off"


def _path(address: Any) -> str:
    return urlparse(address if isinstance(address, str) else address[0]).path

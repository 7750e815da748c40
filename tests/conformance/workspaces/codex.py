"""What the real Codex loads in a workspace: its app server lists skills, hooks and plugins, `mcp list` the servers.

Its prompt, which `debug prompt-input` prints, has the text of every AGENTS.md. To print it the program starts the
servers: those of these workspaces are harmless. Never ask about other people's files in this way.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.conformance.workspaces.asking import answers, said
from tests.conformance.workspaces.workspace import Item, Verdict, Workspace
from tests.peer_programs import CODEX

MARKER = re.compile(r"(?:home|code|market)/\S+\.(?:toml|json)")
CONTEXT = re.compile(r"This is ((?:home|code)/\S+\.md) here\.")


def why_missing() -> str:
    return "" if CODEX else "needs Codex: ./scripts/test --peers, or PISCES_PEERS"


class Codex:
    """Custom prompts are compared as well: this version has none."""

    kinds = ("packages", "commands", "skills", "mcp-servers", "hooks", "context-files")

    def verdict(self, workspace: Workspace) -> Verdict:
        assert CODEX
        ran = said([CODEX, "mcp", "list", "--json"], workspace)
        if ran.returncode:
            return {"refused": [(_reason(ran.stderr), None, "refused")]}
        folder = str(workspace.folder)
        skills, hooks, plugins = _asked(
            workspace, ("skills/list", "hooks/list", "plugin/installed"), {"cwds": [folder]}
        )
        root = workspace.home.parent
        verdict: Verdict = {
            "packages": [_plugin(each) for market in plugins["marketplaces"] for each in market["plugins"]],
            "commands": [],
            "skills": [_skill(each) for each in skills["data"][0]["skills"] if each["scope"] != "system"],
            "mcp-servers": [_server(each, root) for each in json.loads(ran.stdout)],
            "hooks": [_hook(each) for each in hooks["data"][0]["hooks"]],
        }
        prompt = said([CODEX, "debug", "prompt-input"], workspace)
        if prompt.returncode == 0:  # there is none where a server that is required does not start
            paths = CONTEXT.findall(prompt.stdout)
            verdict["context-files"] = [(Path(path).name, str(root / path), "active") for path in paths]
        return verdict


def _reason(errors: str) -> str:
    _, _, cause = errors.partition("Caused by:")
    return " ".join((cause or errors).split("Stack backtrace")[0].split())


def _plugin(each: dict[str, Any]) -> Item:
    state = "active" if each["installed"] and each["enabled"] else "inactive"
    return each["name"], None, state


def _skill(each: dict[str, Any]) -> Item:
    return each["name"], each["path"], "active" if each["enabled"] else "off"


def _server(each: dict[str, Any], root: Path) -> Item:
    found = MARKER.search(json.dumps(each["transport"], ensure_ascii=False))
    return each["name"], str(root / found[0]) if found else None, "active" if each["enabled"] else "off"


def _hook(each: dict[str, Any]) -> Item:
    """A hook that nobody has reviewed waits, whatever the trust of the project."""
    state = "active" if each["trustStatus"] in ("trusted", "managed") else "waiting"
    event = each["eventName"][0].upper() + each["eventName"][1:]
    return f"{event} {each['command']}", each["sourcePath"], state if each["enabled"] else "off"


def _asked(workspace: Workspace, methods: tuple[str, ...], params: dict[str, Any]) -> list[Any]:
    """The results of requests to the app server, which all take the same parameters."""
    assert CODEX
    client = {"clientInfo": {"name": "pisces", "version": "1"}}
    requests = [("initialize", client), *((method, params) for method in methods)]
    questions = [{"id": number, "method": method, "params": value} for number, (method, value) in enumerate(requests)]
    results: dict[int, Any] = {}
    with closing(answers([CODEX, "app-server"], questions, workspace)) as messages:
        for message in messages:
            if "id" in message and "method" not in message:
                results[message["id"]] = message["result"]
            if len(results) == len(requests):
                break
    return [results[number] for number in range(1, len(requests))]

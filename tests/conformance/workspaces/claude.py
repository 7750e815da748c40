"""What the real Claude Code loads in a workspace: its `init` event, its servers, the hooks that ran, its request.

It starts without a key and without a network, beside a model that only listens (`heard.py`): context files are those
whose contents are in the first request. Hooks and servers of these workspaces are our own and harmless, so that they
may run. Never ask about other people's files in this way.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.conformance.workspaces import heard
from tests.conformance.workspaces.asking import answers, said
from tests.conformance.workspaces.workspace import Item, Verdict, Workspace
from tests.peer_programs import CLAUDE

ENV = {
    "ANTHROPIC_API_KEY": "none",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",  # closed; `heard.py` names its own
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
}
RUN = 'echo {} >>"$HOME/.ran"'  # what the hooks of these workspaces do, each with its number
HEARD = ".heard.json"
CONTENTS = re.compile(
    r"^Contents of (.+?) \((?:project instructions|user's private|your private|managed)", re.MULTILINE
)
MARKER = re.compile(r"(?:home|code|market)/\S+\.(?:md|json)")
SERVER = re.compile(r"^(.+?): (.*) - (\S) (.*)$")
QUESTIONS = (
    {"type": "control_request", "request_id": "1", "request": {"subtype": "initialize"}},
    {"type": "user", "message": {"role": "user", "content": "hi"}, "parent_tool_use_id": None, "session_id": ""},
)


def why_missing() -> str:
    return "" if CLAUDE else "needs Claude Code: ./scripts/test --peers, or PISCES_PEERS"


class Claude:
    kinds = ("packages", "commands", "skills", "subagents", "mcp-servers", "hooks", "context-files")

    def __init__(self, scratch: Path) -> None:
        """What an empty workspace has is built in."""
        (scratch / "home").mkdir()
        empty = _asked(Workspace("empty", scratch / "home", scratch))
        self._built_in = {*empty["agents"], *empty["skills"], *empty["slash_commands"]}

    def verdict(self, workspace: Workspace) -> Verdict:
        answer = _asked(workspace)
        if "described" not in answer:  # it has ended
            return {"refused": [("no answer", None, "refused")]}
        commands, skills = self._commands_and_skills(answer, workspace)
        agents = {each["name"]: _marked(each, workspace) for each in answer["described"]["agents"]}
        plugins = [each for each in answer["plugins"] if each["path"] != "builtin"]
        verdict: Verdict = {
            "packages": [(each["name"], each["path"], "active") for each in plugins],
            "commands": commands,
            "skills": skills,
            "subagents": [(name, agents.get(name), "active") for name in self._own(answer["agents"])],
            "mcp-servers": _servers(workspace),
            "hooks": [(f"SessionStart {RUN.format(number)}", None, "active") for number in _lines(workspace, ".ran")],
        }
        verdict["context-files"] = [(Path(path).resolve().name, path, "active") for path in _loaded(workspace)]
        return verdict

    def _own(self, names: list[str]) -> list[str]:
        return [name for name in names if name not in self._built_in]

    def _commands_and_skills(self, answer: dict[str, Any], workspace: Workspace) -> tuple[list[Item], list[Item]]:
        """The event names skills by their folders and has no files; the description has the file, and aliases."""
        commands: list[Item] = []
        skills: list[Item] = []
        for each in answer["described"]["commands"]:
            path, names = _marked(each, workspace), [each["name"], *each.get("aliases", ())]
            if path and path.endswith("SKILL.md"):
                folder = Path(path).parent.name  # not among the names where it has odd letters
                name = next((name for name in (*names, folder) if name in answer["skills"]), each["name"])
                skills.append((name, path, "active"))
            elif path:
                commands.append((each["name"], path, "active"))
        known = {name for name, _path, _state in commands + skills}
        skills += [(name, None, "active") for name in self._own(answer["skills"]) if name not in known]
        known |= {*answer["skills"]}
        commands += [(name, None, "active") for name in self._own(answer["slash_commands"]) if name not in known]
        return commands, skills


def _asked(workspace: Workspace) -> dict[str, Any]:
    """The answer to `initialize` and the `init` event, in one. The refusal of the model is the end."""
    assert CLAUDE
    listening = (sys.executable, Path(heard.__file__), workspace.home / HEARD)
    formats = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    argv: list[str | Path] = [*listening, CLAUDE, "-p", *formats, "--strict-mcp-config"]
    answer: dict[str, Any] = {}
    with closing(answers(argv, QUESTIONS, workspace, **ENV)) as events:
        for event in events:
            if event["type"] == "control_response":
                answer["described"] = event["response"]["response"]
            elif event.get("subtype") == "init":
                answer |= event
            elif event["type"] == "result":
                break
    return answer


def loaded_files(workspace: Workspace) -> list[str]:
    """The context files that were read, imported ones among them."""
    _asked(workspace)
    return _loaded(workspace)


def _loaded(workspace: Workspace) -> list[str]:
    request = json.loads((workspace.home / HEARD).read_text("utf-8"))
    texts = [part["text"] for message in request["messages"] for part in message["content"] if "text" in part]
    return [*dict.fromkeys(path for text in texts for path in CONTENTS.findall(text))]


def _marked(described: dict[str, Any], workspace: Workspace) -> str | None:
    """The file of a command or an agent, by its description."""
    found = MARKER.search(described["description"])
    return str(workspace.home.parent / found[0]) if found else None


def _servers(workspace: Workspace) -> list[Item]:
    assert CLAUDE
    found = []
    for line in said([CLAUDE, "mcp", "list"], workspace, **ENV).stdout.splitlines():
        server = SERVER.match(line)
        if server:
            path = MARKER.search(server[2])
            state = "waiting" if "approval" in server[4] else "off" if "isabled" in server[4] else "active"
            found.append((server[1], path and str(workspace.home.parent / path[0]), state))
    return found


def _lines(workspace: Workspace, name: str) -> list[str]:
    path = workspace.home / name
    return [line for line in path.read_text("utf-8").splitlines() if line] if path.exists() else []


def validated(folder: Path, workspace: Workspace) -> list[str]:
    """The errors of `claude plugin validate`; none where it is content."""
    assert CLAUDE
    ran = said([CLAUDE, "plugin", "validate", folder, "--json"], workspace, **ENV)
    answer = json.loads(ran.stdout)
    parts = [part for part in (answer["manifest"], *answer["contents"]) if part]
    errors = [f"{each['path']}: {each['message']}" for part in parts for each in part["errors"]]
    assert bool(errors) == (ran.returncode != 0), ran.stdout
    return errors

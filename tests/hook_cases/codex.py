"""Codex in a case: where its settings lie, what its tools do, and how it says that a call was refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pisces import Places, ToolCall, Verdict
from pisces.events import ToolResult
from tests.hook_cases.codex_reviews import reviews
from tests.hook_cases.session import Ran, Session, shell
from tests.hook_cases.workspace import Folders, write_json, write_tree

_RAN = "Chunk ID: <ID>\nWall time: <T> seconds\nProcess exited with code {}\nOriginal token count: {}\nOutput:\n{}"
_PATCHED = "Exit code: 0\nWall time: <T> seconds\nOutput:\nSuccess. Updated the following files:\n{}"
_RAN_BY_SERVER = "Wall time: <T> seconds\nOutput:"
_PATCH = "*** Begin Patch"
_NO_PATCH = f"apply_patch verification failed: invalid patch: The first line of the patch must be '{_PATCH}'"
_BYTES_A_TOKEN = 4


class Codex:
    refused = "not run"
    starts = True
    stops_at_start = True

    def __init__(self, config: Mapping[str, Any], folders: Folders) -> None:
        self._config = config
        self._folders = folders

    def write(self) -> None:
        config, home, work = self._config, self._folders.home, self._folders.work
        write_tree(home, config.get("home_files", {}))
        write_tree(work, config.get("files", {}))
        (work / ".git").mkdir(exist_ok=True)
        hooks = home / ".codex" / "hooks.json"
        write_json(hooks, {"hooks": config.get("hooks", {})})
        if "hooks_text" in config:
            hooks.write_text(config["hooks_text"], "utf-8")
        if "project_hooks" in config:
            write_json(work / ".codex" / "hooks.json", {"hooks": config["project_hooks"]})
        write_tree(home / ".codex" / "rules", config.get("rules", {}))
        settings = home / ".codex" / "config.toml"
        settings.write_text(self._settings(), "utf-8")
        if config.get("trust", True):
            settings.write_text(self._settings() + reviews(Places(str(home), str(work))), "utf-8")

    def _settings(self) -> str:
        config = self._config
        lines = [
            'model = "gpt-5.5"',
            f'approval_policy = "{config.get("approval", self._approval)}"',
            f'sandbox_mode = "{config.get("sandbox", self._sandbox)}"',
            config.get("config_top", ""),
            f'[projects."{self._folders.work}"]',
            f'trust_level = "{config.get("project_trust", "trusted")}"',
            config.get("config", ""),
            config.get("hooks_toml", ""),
        ]
        return "\n".join(lines) + "\n"

    project_opens = False  # its rules say themselves by which of ours they count less

    @property
    def _approval(self) -> str:
        return "on-request" if self.can_ask else "never"

    @property
    def _sandbox(self) -> str:
        return "read-only" if self.can_ask else "danger-full-access"

    @property
    def can_ask(self) -> bool:
        """`codex exec` never asks; the app server does."""
        return bool(self._config.get("host"))

    def options(self) -> dict[str, Any]:
        is_trusted = self._config.get("project_trust", "trusted") == "trusted"
        return {
            "mode": "all",  # its sandbox fences commands in; rules and escalations are asked about
            "is_interactive": self.can_ask,
            "trust_workspace": is_trusted,
        }

    async def run(self, call: ToolCall, session: Session) -> Ran:
        given = call.input
        if call.tool == "exec_command":
            output, code = await shell(str(given["cmd"]), session)
            tokens = -(-len(output.encode()) // _BYTES_A_TOKEN)
            return Ran(_RAN.format(code, tokens, output), is_error=bool(code))
        if call.tool == "apply_patch":
            text = str(given.get("input", given.get("command", "")))
            if not text.startswith(_PATCH):
                return Ran(_NO_PATCH, has_run=False)
            names = [line.rpartition(": ")[2] for line in text.splitlines() if line.startswith("*** Add File")]
            for name in names:
                (self._folders.work / name).write_text("hi\n", "utf-8")
            listed = "".join(f"A {name}\n" for name in names)
            return Ran(_PATCHED.format(listed))
        return Ran(f"did {call.tool.rpartition('__')[2]}")

    def told(self, result: ToolResult) -> Any:
        """What a server's tool says comes in parts, unless a hook has put its own words there."""
        is_own = result.tool.startswith("mcp__") and result.text == f"did {result.tool.rpartition('__')[2]}"
        parts = [{"type": "input_text", "text": each} for each in (_RAN_BY_SERVER, result.text)]
        return parts if is_own else result.text

    def told_by_tool(self, text: str) -> Any:
        return text

    def told_refusal(self, verdict: Verdict, call: ToolCall, *, was_asked: bool) -> Any:
        if not was_asked:
            return verdict.why
        if call.tool == "apply_patch":
            return "patch rejected by user"
        return 'exec_command failed: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'

    def seen_input(self, call: ToolCall) -> Any:
        """As its hooks see it."""
        given = json.loads(json.dumps(call.input, default=dict))
        if call.tool == "exec_command":
            return {"command": given["cmd"]}
        return {"command": given.get("input", given.get("command"))} if call.tool == "apply_patch" else given

    def server_of(self, tool: str) -> str:
        parts = tool.split("__")
        return parts[1] if len(parts) > 2 and parts[0] == "mcp" else ""

    def calls_of(self, turn: Any) -> list[dict[str, Any]]:
        return [self._call(each) for each in turn]

    @staticmethod
    def _call(each: Mapping[str, Any]) -> dict[str, Any]:
        if "text" in each:
            return dict(each)
        tool = each.get("call") or each.get("custom") or each.get("tool")
        tool = f"{each['namespace']}__{tool}" if "namespace" in each else tool
        given = each.get("arguments", each.get("input", {}))
        if isinstance(given, str):
            given = {"input": given} if tool == "apply_patch" else json.loads(given)
        return {"tool": tool, "input": given}

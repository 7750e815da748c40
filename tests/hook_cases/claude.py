"""Claude Code in a case: where its settings lie, what its tools do, and how it says that a call was refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pisces import ToolCall, Verdict
from pisces.events import ToolResult
from pisces.harnesses.claude.hook_payloads import shown_call
from pisces.shapes.session_facts import SessionFacts
from tests.hook_cases.session import Ran, Session, registered, shell
from tests.hook_cases.workspace import Folders, write_json, write_tree

_MODES = {"default": "ask", "acceptEdits": "edits", "plan": "plan", "bypassPermissions": "all"}
NO = "ORACLE-SAYS-NO"
_CREATED = "File created successfully at: {} (file state is current in your context — no need to Read it back)"


TOOLS = (
    registered("Bash", {"command": "string"}, {"description": "string", "timeout": "", "run_in_background": "boolean"}),
    registered("Read", {"file_path": "string"}, {"offset": "number", "limit": "number"}),
    registered("Write", {"file_path": "string", "content": "string"}),
)
_ABSENT = ("Glob", "Grep")  # of the program with its own shell commands for them


class Claude:
    refused = "denied"
    starts = True
    stops_at_start = False

    def __init__(self, config: Mapping[str, Any], folders: Folders) -> None:
        self._config = config
        self._folders = folders
        self._cwd = str(folders.work)

    def write(self) -> None:
        config, home, work = self._config, self._folders.home, self._folders.work
        user = dict(config.get("settings") or {})
        arguments = self._arguments()
        if "--settings" in arguments:  # beside the user's own, and as the user's own
            user = _merged(user, json.loads(arguments["--settings"]))
        for option, key in (("--allowedTools", "allow"), ("--disallowedTools", "deny")):
            if option in arguments:
                user = _merged(user, {"permissions": {key: [arguments[option]]}})
        write_tree(home, config.get("home_files", {}))
        if arguments.get("--setting-sources", "user") == "user":
            write_json(home / ".claude" / "settings.json", user)
        accepted = {"hasTrustDialogAccepted": config.get("trusted", True)}
        write_json(home / ".claude.json", {"hasCompletedOnboarding": True, "projects": {str(work): accepted}})
        write_tree(work, config.get("files", {}))
        for key, name in (("project_settings", "settings.json"), ("local_settings", "settings.local.json")):
            if key in config:
                write_json(work / ".claude" / name, config[key])
        for name, files in config.get("plugins", {}).items():
            write_tree(self._folders.root / "plugins" / name, files)

    def options(self) -> dict[str, Any]:
        plugins = sorted(str(each) for each in (self._folders.root / "plugins").iterdir())
        return {
            "packages": plugins,
            "tools": TOOLS,
            "mode": _MODES.get(self._mode(), "ask"),
            "is_interactive": self.can_ask,
            "trust_workspace": bool(self._config.get("trusted", True)),
            "complete": self._complete if "side" in self._config else None,
            "call_server": self._call_server,
        }

    @property
    def can_ask(self) -> bool:
        return not self._config.get("headless") and self._mode() != "dontAsk"

    @property
    def asks_for_hooks(self) -> bool:
        """In the mode `dontAsk` too."""
        return not self._config.get("headless")

    @property
    def project_opens(self) -> bool:
        files = (self._config.get(key) or {} for key in ("project_settings", "local_settings"))
        rules = [each.get("permissions") for each in files]
        return any(isinstance(each, dict) and ("allow" in each or "defaultMode" in each) for each in rules)

    def _mode(self) -> str:
        permissions = (self._config.get("settings") or {}).get("permissions") or {}
        chosen = permissions.get("defaultMode", "default") if isinstance(permissions, dict) else "default"
        return self._arguments().get("--permission-mode", str(chosen))

    def _arguments(self) -> dict[str, str]:
        words = self._config.get("args", [])
        return dict(zip(words[::2], words[1::2], strict=False))

    async def _complete(self, _request: Mapping[str, Any]) -> str:
        return str(self._config["side"])

    async def _call_server(self, server: str, tool: str, _arguments: Mapping[str, Any]) -> str:
        servers = self._config.get("mcp", {}).get("mcpServers", {})
        if server not in servers or tool not in ("read_it", "write_it", "answer"):
            raise LookupError(f"there is no tool {tool} of {server}")
        env = servers[server].get("env", {})
        if tool == "answer" and env.get("MINI_ERROR"):
            raise RuntimeError(env.get("MINI_ANSWER", ""))
        return str(env.get("MINI_ANSWER", "")) if tool == "answer" else f"did {tool}"

    async def run(self, call: ToolCall, session: Session) -> Ran:
        self._cwd = session.cwd
        given, seen = call.input, self.seen_input(call)
        if call.tool == "Bash":
            output, code = await shell(str(given["command"]), session)
            text = output.rstrip("\n")
            details = {"stdout": text, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
            if code:
                return Ran(f"Exit code {code}\n{text}".rstrip("\n"), details, is_error=True)
            return Ran(text or "(Bash completed with no output)", details)
        if call.tool == "Read":
            lines = Path(seen["file_path"]).read_text("utf-8").split("\n")
            counts = {"numLines": len(lines), "startLine": 1, "totalLines": len(lines)}
            file = {"filePath": seen["file_path"], "content": "\n".join(lines), **counts}
            return Ran(_numbered(file["content"]), {"type": "text", "file": file})
        if call.tool == "Write":
            path = Path(seen["file_path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(str(given["content"]), "utf-8")
            return Ran(_CREATED.format(given["file_path"]))
        if call.tool in ("Agent", "Task"):
            return Ran(await session.start_agent(str(given["subagent_type"]), str(given["prompt"])))
        if call.tool == "Skill":
            await session.host.activate_skill(str(given["skill"]))
            return Ran(f"Launching skill: {given['skill']}")
        if call.tool in _ABSENT:
            return Ran("", has_run=False)
        return Ran(f"did {call.tool.rpartition('__')[2]}")

    def told(self, result: ToolResult) -> Any:
        details = result.details
        if isinstance(details, Mapping) and result.tool == "Bash" and not result.is_error:
            return str(details.get("stdout", "")) or result.text
        if isinstance(details, Mapping) and result.tool == "Read":
            return _numbered(str(details["file"]["content"]))
        return result.text

    def told_by_tool(self, text: str) -> Any:
        return text

    def told_refusal(self, verdict: Verdict, _call: ToolCall, *, was_asked: bool) -> Any:
        return NO if was_asked else verdict.why

    def seen_input(self, call: ToolCall) -> Any:
        """As its hooks see it."""
        facts = SessionFacts(self._cwd, str(self._folders.work), str(self._folders.home))
        return json.loads(json.dumps(shown_call(call.tool, call.input, facts)[1], default=dict))

    def server_of(self, tool: str) -> str:
        parts = tool.split("__")
        return parts[1] if len(parts) > 2 and parts[0] == "mcp" else ""

    def calls_of(self, turn: Any) -> list[dict[str, Any]]:
        return [each if "text" in each else {"tool": each["tool"], "input": each["input"]} for each in turn]


def _numbered(text: str) -> str:
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(text.split("\n"), 1))


def _merged(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(first)
    for key, value in second.items():
        both = key in merged and isinstance(merged[key], dict) and isinstance(value, dict)
        merged[key] = _merged(merged[key], value) if both else value
    return merged

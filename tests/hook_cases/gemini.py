"""Gemini CLI in a case: where its settings lie, what its tools do, and how it says that a call was refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pisces import Places, ToolCall, Verdict
from pisces.discovery.harness import Run
from pisces.events import ToolResult
from pisces.gates.rulebook import RuleScene
from pisces.gates.rules import rules_gate
from pisces.harnesses.gemini.permissions import program_book
from pisces.shapes.session_facts import SessionFacts
from tests.hook_cases.session import STOP, Ran, Session, registered, shell
from tests.hook_cases.workspace import Folders, write_json, write_tree

_WRITTEN = "Successfully created and wrote to new file: {}. Here is the updated code:\n{}"
_MODES = {"default": "ask", "auto_edit": "edits", "plan": "plan", "yolo": "all"}
_LINE = {"type": "integer", "minimum": 1}
TOOLS = (
    registered("read_file", {"file_path": "string"}, {"start_line": _LINE, "end_line": _LINE}, takes_more=True),
    registered("run_shell_command", {"command": "string"}, {"description": "string"}, takes_more=True),
    registered("write_file", {"file_path": "string", "content": "string"}, takes_more=True),
    registered("list_directory", {"dir_path": "string"}, takes_more=True),
)
_OUTSIDE = (
    'Path not in workspace: Attempted path "{}" resolves outside the allowed workspace directories: {} or '
    "the project temp directory: {}/.gemini/tmp/work"
)


class Gemini:
    refused = "not run"
    stops_at_start = True

    def __init__(self, config: Mapping[str, Any], folders: Folders) -> None:
        self._config = config
        self._folders = folders

    def write(self) -> None:
        config, home, work = self._config, self._folders.home, self._folders.work
        user = dict(config.get("settings") or {})
        user["security"] = {"folderTrust": {"enabled": False}, **user.get("security", {})}
        write_json(home / ".gemini" / "settings.json", user)
        write_tree(home, config.get("home_files", {}))
        write_tree(home / ".gemini" / "policies", config.get("policies", {}))
        write_tree(work, config.get("files", {}))
        if "project_settings" in config:
            write_json(work / ".gemini" / "settings.json", config["project_settings"])
        for name, files in config.get("extensions", {}).items():
            manifest = {"gemini-extension.json": {"name": name, "version": "1.0.0"}}
            write_tree(home / ".gemini" / "extensions" / name, {**manifest, **files})

    can_ask = False  # a session without a terminal

    @property
    def starts(self) -> bool:
        """Without a terminal it does not start in a folder that nobody trusts."""
        trust = (self._config.get("settings") or {}).get("security", {}).get("folderTrust", {})
        return not trust.get("enabled")

    def options(self) -> dict[str, Any]:
        """With the rules that the program brings, as gates of the program that embeds the host."""
        words = [*self._config.get("args", []), "--approval-mode", "default"]
        mode = "all" if "--yolo" in words else _MODES[words[words.index("--approval-mode") + 1]]
        places = Places(str(self._folders.home), str(self._folders.work))
        facts = SessionFacts(places.cwd, places.cwd, places.home, mode=mode, is_interactive=False)
        own = rules_gate((program_book(RuleScene(places, Run(), (), True)),), lambda: facts)
        return {"mode": mode, "is_interactive": False, "trust_workspace": self.starts, "gates": [own], "tools": TOOLS}

    async def run(self, call: ToolCall, session: Session) -> Ran:
        given = call.input
        if call.tool == "run_shell_command":
            output, code = await shell(str(given["command"]), session)
            said = f"Output: {output.rstrip() or '(empty)'}\n" + (f"Exit Code: {code}\n" if code else "")
            return Ran(f"<untrusted_context>\n{said}Process Group PGID: <N>\n</untrusted_context>")
        if call.tool == "read_file":
            path = Path(session.cwd) / str(given["file_path"])
            if not path.resolve().is_relative_to(self._folders.work):
                return Ran(_OUTSIDE.format(path, self._folders.work, self._folders.home), has_run=False, is_error=True)
            if not path.exists():
                return Ran(f"File not found: {path}", is_error=True)
            text = path.read_text("utf-8")
            return Ran(text, {"llmContent": text, "returnDisplay": ""})
        if call.tool == "write_file":
            path = Path(session.cwd) / str(given["file_path"])
            path.write_text(str(given["content"]), "utf-8")
            return Ran(_WRITTEN.format(path, given["content"]))
        if call.tool == "list_directory":
            folder = Path(session.cwd) / str(given["dir_path"])
            files = sorted(folder.iterdir())
            listed = "\n".join(f"{each.name} ({each.stat().st_size} bytes)" for each in files)
            return Ran(f"Directory listing for {folder.resolve()}:\n{listed}")
        return Ran("")

    project_opens = False  # its rules say themselves by which of ours they count less

    def told(self, result: ToolResult) -> Any:
        if any(note.kind == STOP for note in result.notes):
            return None  # the session has ended, and the model is not asked again
        if result.is_error:
            return {"error": result.text}
        said = [note.text for note in result.notes if note.text.startswith("[System]")]
        return {"output": "\n\n".join((result.text, *dict.fromkeys(said)))}

    def told_by_tool(self, text: str) -> Any:
        return {"error": text}

    def told_refusal(self, verdict: Verdict, _call: ToolCall, *, was_asked: bool) -> Any:  # noqa: ARG002
        return {"error": verdict.why}

    def seen_input(self, call: ToolCall) -> Any:
        return json.loads(json.dumps(call.input, default=dict))

    def server_of(self, tool: str) -> str:
        return tool.split("_")[1] if tool.startswith("mcp_") else ""

    def calls_of(self, turn: Any) -> list[dict[str, Any]]:
        return [each if "text" in each else {"tool": each["name"], "input": each.get("args", {})} for each in turn]

"""A workspace for one recorded case of Gemini CLI: the files that the case names, and the hooks that fire there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.gates.hooks.found_hooks import found_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.events import ToolCall
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, SessionFacts
from tests.hook_cases.claude_case import write_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.gates.hooks.dialect import LoadedHook


class GeminiCase:
    """`config` has the placeholders of the row filled in. Nothing is read from this machine but what is in `root`."""

    def __init__(self, row: Mapping[str, Any], root: Path) -> None:
        self.row = row
        self.home, self.work = root / "home", root / "work"
        for folder in (self.home / ".gemini", self.work):
            folder.mkdir(parents=True)
        self.names = {"@HOME@": str(self.home), "@WORK@": str(self.work), "@ROOT@": str(root)}
        self.config: dict[str, Any] = self.filled(row["config"])
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", **self.config.get("env", {})}
        self.places = Places(str(self.home), str(self.work), env)
        self._write()

    def filled(self, value: Any) -> Any:
        text = json.dumps(value)
        for name, path in self.names.items():
            text = text.replace(name, json.dumps(path)[1:-1])
        return json.loads(text)

    def unfilled(self, text: str) -> str:
        for name in ("@WORK@", "@HOME@"):
            text = text.replace(self.names[name], name)
        return text

    @property
    def is_trusted(self) -> bool:
        settings = self.config.get("settings") or {}
        return not settings.get("security", {}).get("folderTrust", {}).get("enabled", False)

    @property
    def trust(self) -> Trust:
        return Trust().including_for_this_run(str(self.work)) if self.is_trusted else Trust()

    def facts(self) -> SessionFacts:
        return SessionFacts(
            str(self.work),
            str(self.work),
            str(self.home),
            id="00000000-0000-0000-0000-000000000000",
            transcript=str(self.home / ".gemini" / "tmp" / "work" / "chats" / "session.jsonl"),
            model="gemini-2.5-flash",
            mode=MODE_ALL if "--yolo" in self.config.get("args", []) else MODE_ASK,
            is_interactive=False,
            is_trusted=self.is_trusted,
        )

    def hooks(self) -> tuple[LoadedHook, ...]:
        return found_hooks(self.places, self.trust).loaded

    def calls(self) -> Iterator[ToolCall]:
        turns = self.filled(self.row.get("turns") or [[self.row["call"]]])
        calls = [part for turn in turns for part in turn if "name" in part]
        for number, call in enumerate(calls):
            yield ToolCall(call["name"], f"call_{number}", call.get("args", {}))

    def _write(self) -> None:
        config = self.config
        user = dict(config.get("settings") or {})
        security = user.setdefault("security", {})
        security.setdefault("folderTrust", {"enabled": False})
        write_tree(self.home / ".gemini", {"settings.json": user})
        write_tree(self.home, config.get("home_files", {}))
        write_tree(self.home / ".gemini" / "policies", config.get("policies", {}))
        write_tree(self.work, config.get("files", {}))
        if "project_settings" in config:
            write_tree(self.work, {".gemini/settings.json": config["project_settings"]})
        for name, files in config.get("extensions", {}).items():
            manifest = {"gemini-extension.json": {"name": name, "version": "1.0.0"}}
            write_tree(self.home / ".gemini" / "extensions" / name, {**manifest, **files})

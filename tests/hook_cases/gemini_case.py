"""A workspace for one recorded case of Gemini CLI, and the hooks that fire there, without a host around them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.gates.hooks.found_hooks import found_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.events import ToolCall
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, SessionFacts
from tests.hook_cases.gemini import Gemini
from tests.hook_cases.workspace import Folders, case_folders, child_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.gates.hooks.dialect import LoadedHook


class GeminiCase:
    """`config` has the placeholders of the row filled in. Nothing is read from this machine but what is in `root`."""

    def __init__(self, row: Mapping[str, Any], root: Path) -> None:
        self.row = row
        self.folders: Folders = case_folders(root)
        self.home, self.work = self.folders.home, self.folders.work
        self.config: dict[str, Any] = self.folders.filled(row["config"])
        self.program = Gemini(self.config, self.folders)
        self.program.write()
        env = child_environment(self.folders, self.config.get("env", {}))
        self.places = Places(str(self.home), str(self.work), env)

    @property
    def is_trusted(self) -> bool:
        return self.program.starts

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
        turns = self.folders.filled(self.row.get("turns") or [[self.row["call"]]])
        calls = [call for turn in turns for call in self.program.calls_of(turn) if "tool" in call]
        for number, call in enumerate(calls):
            yield ToolCall(call["tool"], f"call_{number}", call["input"])

"""A workspace for one recorded case of Codex, and the hooks that fire there, without a host around them.

The cases were recorded with the review of hooks switched off. Here each hook that is found is written down as reviewed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.gates.hooks.found_hooks import found_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.events import ToolCall
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, SessionFacts
from tests.hook_cases.codex import Codex
from tests.hook_cases.workspace import Folders, case_folders, child_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.gates.hooks.dialect import LoadedHook


class CodexCase:
    """`config` has the placeholders of the row filled in. Nothing is read from this machine but what is in `root`."""

    def __init__(self, row: Mapping[str, Any], root: Path) -> None:
        self.row = row
        self.folders: Folders = case_folders(root)
        self.home, self.work = self.folders.home, self.folders.work
        self.config: dict[str, Any] = self.folders.filled(row["config"])
        self.program = Codex(self.config, self.folders)
        self.program.write()
        env = child_environment(self.folders, {"CODEX_HOME": str(self.home / ".codex"), **self.config.get("env", {})})
        self.places = Places(str(self.home), str(self.work), env)

    @property
    def is_asking(self) -> bool:
        return self.program.can_ask

    @property
    def trust(self) -> Trust:
        is_trusted = self.config.get("project_trust", "trusted") == "trusted"
        return Trust().including_for_this_run(str(self.work)) if is_trusted else Trust()

    def facts(self) -> SessionFacts:
        return SessionFacts(
            str(self.work),
            str(self.work),
            str(self.home),
            id="00000000-0000-0000-0000-000000000000",
            turn_id="00000000-0000-0000-0000-000000000001",
            transcript=str(self.home / ".codex" / "sessions" / "rollout.jsonl"),
            model=self.config.get("model", "gpt-5.5"),
            mode=MODE_ASK if self.is_asking else MODE_ALL,
            is_interactive=self.is_asking,
        )

    def hooks(self) -> tuple[LoadedHook, ...]:
        return found_hooks(self.places, self.trust).loaded

    def calls(self) -> Iterator[ToolCall]:
        turns = self.folders.filled(self.row.get("turns") or [[self.row["call"]]])
        calls = [call for turn in turns for call in self.program.calls_of(turn) if "tool" in call]
        for number, call in enumerate(calls):
            yield ToolCall(call["tool"], f"call_{number}", call["input"])

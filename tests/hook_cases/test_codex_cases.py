"""The recorded cases of Codex' hooks: the same verdict, or a stricter one by one of our rules; never a looser.

Approvals and the sandbox are not judged here: without a word from a hook, a small model of them has the verdict.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.firing import HookCallbacks, HookRun
from pisces.harnesses.codex.hooks import DIALECT
from pisces.shapes.events import (
    Input,
    PermissionAsked,
    SessionShutdown,
    SessionStart,
    SessionStop,
    ToolCall,
    ToolResult,
)
from pisces.shapes.note import CONTEXT, STOP, Note
from pisces.shapes.request import TOOL, ToolRequest
from pisces.shapes.verdict import Judged, Verdict
from tests.conformance.corpus import corpus_folder
from tests.hook_cases.codex_case import CodexCase

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = corpus_folder() / "hook-cases.jsonl"
ORDER = ("ran", "asked", "not run", "never reached")
# What the tool itself answers; a hook may take its place.
OUTPUT = "Chunk ID: <ID>"

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the corpus is not here")


def rows() -> list[dict[str, Any]]:
    if not FILE.is_file():
        return []
    found = [json.loads(line) for line in FILE.read_text().splitlines()]
    return [row for row in found if row["dialect"] == "codex" and row["kind"] in ("hook", "event")]


class Played:
    """One case, played on the hooks alone."""

    def __init__(self, case: CodexCase) -> None:
        self.case = case
        self.runs: list[HookRun] = []
        self.context: list[str] = []
        self.hooks = HookSet(case.hooks(), case.facts, case.places.env, HookCallbacks(record=self.runs.append))

    def note(self, notes: list[Note] | tuple[Note, ...]) -> bool:
        """Whether somebody wants to stop."""
        self.context += [note.text for note in notes if note.kind == CONTEXT]
        return any(note.kind == STOP for note in notes)

    async def starts(self) -> bool:
        started = await self.hooks.emit(SessionStart("startup"))
        if self.note(tuple(started.notes)):
            return False
        said = await self.hooks.emit(Input("go"))
        self.note(tuple(said.notes))
        return not said.blocked

    async def call(self, call: ToolCall) -> dict[str, Any]:
        request, notes = ToolRequest(call, str(self.case.work)), list[Note]()
        answer = await self.hooks.judged(request, notes)
        self.note(notes)
        verdict = answer.verdict if isinstance(answer, Judged) else answer
        final = answer.request if isinstance(answer, Judged) else answer if isinstance(answer, ToolRequest) else request
        assert isinstance(final, ToolRequest)
        decided, why = await self._decided(final.call, verdict if isinstance(verdict, Verdict) else None)
        if decided != "ran":
            return {"verdict": decided, "ran_with": None, "told": why}
        result = ToolResult(final.call.tool, call.call_id, final.call.input, ({"type": "text", "text": OUTPUT},))
        after = await self.hooks.emit(result)
        self.note(tuple(after.notes))
        ran_with = DIALECT.own_call(final.call.tool, final.call.input)[1]
        return {"verdict": "ran", "ran_with": ran_with, "told": after.text}

    async def _decided(self, call: ToolCall, verdict: Verdict | None) -> tuple[str, str]:
        if verdict is not None and verdict.decision == "deny":
            return "not run", verdict.why
        wish = self._asks(call) or (verdict is not None and verdict.decision == "ask")
        if not wish:
            return "ran", ""
        if not self.case.is_asking:
            return "not run", ""
        asked = await self.hooks.emit(PermissionAsked(TOOL, call.tool, call.input))
        if asked.decision:
            return ("ran", "") if asked.decision == "allow" else ("not run", asked.reason)
        return "asked", ""

    def _asks(self, call: ToolCall) -> bool:
        is_read_only = self.case.config.get("sandbox") == "read-only" and not self.case.config.get("files")
        if call.tool == "apply_patch":
            return is_read_only
        line = str(call.input.get("cmd", ""))
        return call.input.get("sandbox_permissions") == "require_escalated" or line.startswith("rm -")

    async def ends(self) -> None:
        await self.hooks.emit(SessionStop(last_message="done"))
        await self.hooks.emit(SessionShutdown())


async def played(row: Mapping[str, Any], folder: Path) -> tuple[CodexCase, Played, list[dict[str, Any]]]:
    case = CodexCase(row, folder)
    play = Played(case)
    try:
        calls = [await play.call(call) for call in case.calls()] if await play.starts() else []
        await play.ends()
        return case, play, calls
    finally:
        await play.hooks.close()


@pytest.mark.parametrize("row", rows(), ids=lambda row: str(row["id"]))
def test_a_recorded_case_has_the_recorded_verdict_or_a_stricter_one_by_a_rule(
    row: dict[str, Any], tmp_path: Path
) -> None:
    case, play, calls = asyncio.run(played(row, tmp_path))
    rules = sorted({run.answer.rule for run in play.runs if run.answer.rule})
    if not row["calls"] or not calls:
        assert not calls
        assert not row["calls"] or rules
        return
    for expected, got in zip(row["calls"], calls, strict=True):
        if got["verdict"] == expected["verdict"]:
            _compare(expected, got, case, rules)
        else:
            assert ORDER.index(got["verdict"]) > ORDER.index(expected["verdict"]), f"looser: {got} than {expected}"
            rewritten = "in different ways" in got["told"] or "again and again" in got["told"]
            waited = "& printf" in json.dumps(row["config"])  # rule 8: the process is waited for, not its pipes
            assert rules or rewritten or waited, f"stricter without a rule: {got}"
    if all(got["verdict"] == expected["verdict"] for expected, got in zip(row["calls"], calls, strict=True)):
        assert play.context == row.get("context", [])
    for name, text in row.get("files_after", {}).items():
        if name in ("sh", "late"):
            path = case.work / name
            assert (path.read_text() if path.exists() else None) == text


def _compare(expected: Mapping[str, Any], got: Mapping[str, Any], case: CodexCase, rules: list[int]) -> None:
    if expected["verdict"] == "ran" and isinstance(expected["ran_with"], dict):
        assert got["ran_with"] == case.folders.filled(expected["ran_with"])
    told = expected["told"]
    if isinstance(told, str) and expected["verdict"] == "not run" and _is_of_a_hook(told):
        assert re.sub(r"/\S*/python3:", "python3:", case.folders.emptied(got["told"])) == told
    elif isinstance(told, str) and not told.startswith(("Chunk", "Exit code")) and expected["verdict"] == "ran":
        assert got["told"] == told
    elif expected["verdict"] == "ran" and expected["told"] and not isinstance(told, list):
        assert got["told"] == OUTPUT or rules  # a denial that Codex does not understand hides the result too


def _is_of_a_hook(told: str) -> bool:
    return "hook" in told or ("Rejected" in told and "rejected" not in told)

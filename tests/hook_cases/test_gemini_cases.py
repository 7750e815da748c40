"""The recorded cases of Gemini CLI's hooks: the same verdict, or a stricter one by one of our rules; never a looser.

Policies are not judged here: a tool that Gemini CLI does not offer, or that a policy denies, is not called.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.firing import HookCallbacks, HookRun
from pisces.harnesses.gemini.hooks import DIALECT
from pisces.shapes.events import (
    AfterModel,
    BeforeModel,
    BeforeToolSelection,
    Input,
    SessionShutdown,
    SessionStart,
    SessionStop,
    ToolCall,
    ToolResult,
)
from pisces.shapes.note import CONTEXT, STOP, Note
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import Judged, Verdict
from tests.conformance.corpus import corpus_folder
from tests.hook_cases.gemini_case import GeminiCase

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = corpus_folder() / "hook-cases.jsonl"
ORDER = ("ran", "not run", "never reached")
REQUEST = {"model": "gemini-2.5-flash", "messages": [{"role": "user", "content": "go"}], "config": {}}

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the corpus is not here")


def rows() -> list[dict[str, Any]]:
    if not FILE.is_file():
        return []
    found = [json.loads(line) for line in FILE.read_text().splitlines()]
    return [row for row in found if row["dialect"] == "gemini" and row["kind"] in ("hook", "event")]


class Played:
    """One case, played on the hooks alone."""

    def __init__(self, case: GeminiCase) -> None:
        self.case = case
        self.runs: list[HookRun] = []
        self.context: list[str] = []
        self.hooks = HookSet(case.hooks(), case.facts, case.places.env, HookCallbacks(record=self.runs.append))

    async def starts(self) -> bool:
        """Whether the model is asked and may call a tool."""
        if not self.case.is_trusted:
            return False  # Gemini CLI refuses to start in a folder that nobody trusts
        started = await self.hooks.emit(SessionStart("startup"))
        said = await self.hooks.emit(Input("go"))
        self.context += [note.text for note in (*started.notes, *said.notes) if note.kind == CONTEXT]
        if said.blocked:
            return False
        before = await self.hooks.emit(BeforeModel(REQUEST))
        if before.blocked or before.response is not None:
            return False
        await self.hooks.emit(BeforeToolSelection(REQUEST, ("read_file",)))
        after = await self.hooks.emit(AfterModel(REQUEST, {"text": "x"}))
        return not after.blocked

    async def call(self, call: ToolCall) -> dict[str, Any]:
        if self._is_missing(call):
            return {"verdict": "not run", "ran_with": None, "told": None}
        request, notes = ToolRequest(call, str(self.case.work)), list[Note]()
        answer = await self.hooks.judged(request, notes)
        verdict = answer.verdict if isinstance(answer, Judged) else answer
        final = answer.request if isinstance(answer, Judged) else answer if isinstance(answer, ToolRequest) else request
        assert isinstance(final, ToolRequest)
        if isinstance(verdict, Verdict) and verdict.decision != "allow":
            is_stop = any(note.kind == STOP for note in notes) or verdict.decision == "ask"
            return {"verdict": "never reached" if is_stop else "not run", "ran_with": None, "told": verdict.why}
        if self._is_refused_by_the_tool(final.call):
            return {"verdict": "not run", "ran_with": None, "told": None}
        return await self._result(final.call, notes)

    async def _result(self, call: ToolCall, notes: list[Note]) -> dict[str, Any]:
        text = self._text_of(call)
        told = "".join([text, *(f"\n\n{note.text}" for note in notes if note.kind == CONTEXT)])
        result = ToolResult(call.tool, call.call_id, call.input, ({"type": "text", "text": told},))
        after = await self.hooks.emit(result)
        if any(note.kind == STOP for note in after.notes):
            return {"verdict": "ran", "ran_with": call.input, "told": None}
        if after.follow_up:
            other = ToolCall(after.follow_up["tool"], call.call_id, after.follow_up["input"])
            return {**await self.call(other), "ran_with": call.input}
        return {"verdict": "ran", "ran_with": call.input, "told": {"error" if after.is_error else "output": after.text}}

    def _text_of(self, call: ToolCall) -> str:
        if call.tool == "list_directory":
            files = sorted(each for each in self.case.work.iterdir() if each.is_file())
            lines = [f"{each.name} ({each.stat().st_size} bytes)" for each in files]
            return "\n".join((f"Directory listing for {self.case.work}:", *lines))
        path = self.case.work / str(call.input.get("file_path", "none"))
        return path.read_text() if path.is_file() else ""

    def _is_missing(self, call: ToolCall) -> bool:
        policies = json.dumps(self.case.config.get("policies", {}))
        is_shell = call.tool == "run_shell_command"
        is_allowed = "--yolo" in self.case.config.get("args", []) or "allow" in policies
        return (is_shell and not is_allowed) or f'toolName=\\"{call.tool}\\"\\ndecision=\\"deny' in policies

    def _is_refused_by_the_tool(self, call: ToolCall) -> bool:
        given = call.input
        return (call.tool == "read_file" and "file_path" not in given) or str(given.get("command", "")).startswith("rm")

    async def ends(self) -> None:
        stop = await self.hooks.emit(SessionStop(prompt="go", last_message="done"))
        self.context += [stop.reason] if stop.blocked else []
        await self.hooks.emit(SessionShutdown("quit"))


async def played(row: Mapping[str, Any], folder: Path) -> tuple[GeminiCase, Played, list[dict[str, Any]]]:
    case = GeminiCase(row, folder)
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
            _compare(expected, got, case)
        else:
            assert ORDER.index(got["verdict"]) > ORDER.index(expected["verdict"]), f"looser: {got} than {expected}"
            assert rules, f"stricter without a rule: {got}"
    assert play.context == row.get("context", [])


def _compare(expected: Mapping[str, Any], got: Mapping[str, Any], case: GeminiCase) -> None:
    told = expected["told"]
    if expected["verdict"] == "ran":
        assert expected["ran_with"] in (None, DIALECT.own_call(expected["tool"], got["ran_with"])[1])
        if expected["tool"] == "read_file":
            assert got["told"] == (case.folders.filled(told) if told else told)
    elif told and "blocked" in told["error"]:
        assert case.folders.emptied(got["told"]) == told["error"]

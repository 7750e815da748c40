"""The recorded cases of Claude Code's hooks: the same verdict, or a stricter one by one of our rules; never a looser.

Permissions are not judged here: a case without a word from a hook has the verdict of a small model of them.
"""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pisces.gates.hooks.engine import HookSet
from pisces.gates.hooks.firing import HookCallbacks, HookRun
from pisces.shapes.events import Input, PermissionAsked, SessionBeforeCompact, ToolCall
from pisces.shapes.note import STOP, Note
from pisces.shapes.request import TOOL, ToolRequest
from pisces.shapes.verdict import Judged, Verdict

from .claude_case import ClaudeCase, hook_server

if TYPE_CHECKING:
    from collections.abc import Mapping

CORPUS = os.environ.get("PISCES_CORPUS", "")
FILE = Path(CORPUS) / "hook-cases.jsonl"
KINDS = ("hook", "event", "frontmatter")
ORDER = ("ran", "asked", "denied", "never reached")
SAFE = ("echo", "cd", "false", "cat", "pwd", "true")
SAFE_TOOLS = ("Read", "Agent")

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the corpus is not here")


def rows() -> list[dict[str, Any]]:
    if not FILE.is_file():
        return []
    found = [json.loads(line) for line in FILE.read_text().splitlines()]
    return [row for row in found if row["dialect"] == "claude" and row["kind"] in KINDS]


class Played:
    """One case, played on the hooks alone."""

    def __init__(self, case: ClaudeCase) -> None:
        self.case = case
        self.runs: list[HookRun] = []
        self.notes: list[Note] = []
        callbacks = HookCallbacks(case.complete, case.call_tool, None, self.runs.append)
        self.hooks = HookSet(case.hooks(), case.facts, case.places.env, callbacks)

    async def prompt(self) -> str:
        """Why the prompt does not reach the model; empty if it does."""
        for text in self.case.config.get("prompts", ["go"]):
            if text == "/compact":
                event = await self.hooks.emit(SessionBeforeCompact())
                if event.cancelled:
                    return event.reason
            elif text.startswith("/"):
                self.hooks.add(self.case.skill_hooks(text[1:]))
            else:
                said = await self.hooks.emit(Input(text))
                if said.blocked:
                    return said.reason
        return ""

    async def call(self, call: Mapping[str, Any], number: int) -> dict[str, Any]:
        request = ToolRequest(ToolCall(call["tool"], f"toolu_{number}", call["input"]), self.case.cwd)
        self.notes.clear()
        answer = await self.hooks.judged(request, self.notes)
        verdict = answer.verdict if isinstance(answer, Judged) else answer
        final = answer.request if isinstance(answer, Judged) else answer if isinstance(answer, ToolRequest) else request
        assert isinstance(final, ToolRequest)
        decided, why = await self._decided(final.call, verdict if isinstance(verdict, Verdict) else None)
        if not isinstance(final.call.input.get("command", ""), str):
            decided = "denied"  # whoever runs the tool checks a changed input against its schema
        if any(run.answer.extra.get("deferred") for run in self.runs):
            decided = "never reached"
        if decided == "ran" and call["tool"] == "Skill":
            self.hooks.add(self.case.skill_hooks(call["input"]["skill"]))
        ran = decided == "ran" or (decided == "asked" and self.case.config.get("answer") == "allow")
        return {"verdict": decided, "ran_with": final.call.input if ran else None, "told": why}

    async def _decided(self, call: ToolCall, verdict: Verdict | None) -> tuple[str, str]:
        rules = (self.case.config.get("settings") or {}).get("permissions", {})
        if verdict is not None and verdict.decision == "deny":
            return "denied", verdict.why
        if any(fits(rule, call) for rule in rules.get("deny", []) if isinstance(rules["deny"], list)):
            return "denied", f"Permission to use Bash with command {call.input.get('command')} has been denied."
        said = verdict.decision if verdict else ""
        if said == "allow" and not any(fits(rule, call) for rule in rules.get("ask", [])):
            return "ran", ""
        if said != "ask" and not any(fits(rule, call) for rule in rules.get("ask", [])) and self._is_safe(call, rules):
            return "ran", ""
        asked = await self.hooks.emit(PermissionAsked(TOOL, call.tool, call.input))
        if asked.decision == "allow":
            return "ran", ""
        if asked.decision == "deny":
            return "denied", asked.reason
        if self.case.config.get("headless"):
            return "denied", verdict.why if verdict else ""
        return "asked", "ORACLE-SAYS-NO"

    def _is_safe(self, call: ToolCall, rules: Mapping[str, Any]) -> bool:
        if self.case.option("--permission-mode") in ("acceptEdits", "bypassPermissions"):
            return True
        if any(fits(rule, call) for rule in rules.get("allow", [])) or call.tool in SAFE_TOOLS:
            return True
        return call.tool == "Bash" and str(call.input.get("command", "")).split()[0] in SAFE


def fits(rule: str, call: ToolCall) -> bool:
    tool, _, inside = rule.rstrip(")").partition("(")
    prefix = inside.removesuffix(":*")
    return tool == call.tool and str(call.input.get("command", "")).startswith(prefix)


async def played(row: Mapping[str, Any], folder: Path) -> tuple[ClaudeCase, Played, list[dict[str, Any]], str]:
    async with hook_server(row["config"].get("http", {})) as address:
        case = ClaudeCase(row, folder, address)
        play = Played(case)
        try:
            blocked = await play.prompt()
            calls: list[dict[str, Any]] = []
            flat = [part for turn in case.turns for part in turn if "tool" in part]
            for number, call in enumerate(() if blocked else flat):
                calls.append(await play.call(call, number))
            return case, play, calls, blocked
        finally:
            await play.hooks.close()


def strictness(verdict: str) -> int:
    return ORDER.index(verdict)


@pytest.mark.parametrize("row", rows(), ids=lambda row: str(row["id"]))
def test_a_recorded_case_has_the_recorded_verdict_or_a_stricter_one_by_a_rule(
    row: dict[str, Any], tmp_path: Path
) -> None:
    case, play, calls, blocked = asyncio.run(played(row, tmp_path))
    rules = sorted({run.answer.rule for run in play.runs if run.answer.rule})
    recorded = row["calls"]
    if not recorded:
        assert blocked == case.filled(row["end"])[-1]["result"]
        return
    if blocked:
        assert rules, f"blocked without a rule: {blocked}"
        return
    for expected, got in zip(recorded, calls, strict=False):
        if got["verdict"] == expected["verdict"]:
            _compare(expected, got, case)
        else:
            assert strictness(got["verdict"]) > strictness(expected["verdict"]), f"looser: {got} than {expected}"
            rewritten = "in different ways" in got["told"] or "again and again" in got["told"]
            assert rules or rewritten, f"stricter without a rule: {got}"


def _compare(expected: Mapping[str, Any], got: Mapping[str, Any], case: ClaudeCase) -> None:
    if expected["ran_with"] is not None:
        wanted = case.filled(expected["ran_with"])
        assert {key: got["ran_with"].get(key) for key in wanted} == wanted
    told = expected["told"] or ""
    if got["verdict"] == "denied" and "hook error" in told and "Expected schema" not in told:
        length = min(len(told), 400)
        assert case.unfilled(got["told"])[:length] == told[:length]


def test_stop_notes_are_given_where_the_session_ended(tmp_path: Path) -> None:
    for row in rows():
        if row["id"] in ("deny+continue-false", "prompt-hook-tooluse"):
            _, play, _, _ = asyncio.run(played(row, tmp_path / row["id"]))
            assert any(note.kind == STOP for note in play.notes)

"""What an editor's answer covers."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("acp", reason="the extra `acp` is not installed")

from pisces.acp.permissions import EditorConsent
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import ASK, Verdict


def test_an_answer_for_the_session_is_for_the_same_folder_and_server() -> None:
    asked: list[Any] = []

    class Editor:
        async def request_permission(self, **given: Any) -> Any:
            asked.append(given["tool_call"])
            return SimpleNamespace(outcome=SimpleNamespace(outcome="selected", option_id="session"))

    async def sent() -> None:
        return None

    async def answers() -> None:
        consent = EditorConsent(Editor(), "/w", lambda: "s", sent)
        call = ToolCall("shell", "1", {"command": "rm -r build"})
        for request in (
            ToolRequest(call, "/w"),
            ToolRequest(call.replace(call_id="2"), "/w", agent="helper"),  # the same: not asked again
            ToolRequest(call, "/w/other"),
            ToolRequest(call, "/w", "server"),
        ):
            assert (await consent(request, (Verdict(ASK, "x"),))).is_allowed

    asyncio.run(answers())
    assert len(asked) == 3
    assert "In: /w/other" in str(asked[1])

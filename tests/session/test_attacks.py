"""What a hostile model or a hostile workspace tries in a session, and what becomes of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from pisces.agent.loop import AT_ONCE, DONE, MOST_CALLS
from pisces.diagnostics import PiscesError
from pisces.ide.editors import CommandLine
from pisces.ide.install import command_of
from pisces.models.model import AnswerStream
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import END, ModelAnswer, ModelAsk, ModelFailed, ThinkingDelta
from pisces.modules.sidecar import runtime_in
from pisces.places import Places
from pisces.shapes.message import BY_MODEL, CallPart, ChatMessage, ResultPart, TextPart
from pisces.ui.terminal.clipboard import clipboard_image
from pisces.ui.terminal.editing import edited
from tests.agent.conversation import Conversation, assert_valid, ended


def test_a_thousand_calls_of_one_answer_do_not_run_at_once_and_each_has_a_result() -> None:
    running, most, ran = 0, 0, 0

    async def work(_call: CallPart) -> str:
        nonlocal running, most, ran
        running, ran = running + 1, ran + 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return "done"

    end, talk = ended([tuple(CallPart(f"c{each}", "look", {}) for each in range(1000)), "fine"], work)
    assert (end.ended, most, ran) == (DONE, AT_ONCE, MOST_CALLS)
    results = [part for part in talk.messages[2].parts if isinstance(part, ResultPart)]
    assert [each.is_error for each in results] == [False] * MOST_CALLS + [True] * (1000 - MOST_CALLS)
    assert "Make the others" in results[-1].text
    assert_valid(talk.messages)


def test_calls_that_wait_for_others_are_ended_with_them() -> None:
    async def cancelled() -> Conversation:
        started = asyncio.Event()

        async def work(_call: CallPart) -> str:
            started.set()
            await asyncio.Event().wait()
            return "never"

        model = ScriptedModel([tuple(CallPart(f"c{each}", "look", {}) for each in range(AT_ONCE * 2))])
        talk = Conversation(model, work)
        task = asyncio.ensure_future(talk.run())
        await asyncio.wait_for(started.wait(), 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return talk

    talk = asyncio.run(cancelled())
    assert not talk.running
    assert_valid(talk.messages)


class _Endless:
    """Thinks for ever, in large pieces."""

    async def __aiter__(self) -> AsyncIterator[ThinkingDelta]:
        while True:
            yield ThinkingDelta("x" * 1_000_000)

    def whole(self) -> ModelAnswer:
        return ModelAnswer(ChatMessage(BY_MODEL, (TextPart("never"),)), END)


class _EndlessModel(ScriptedModel):
    @asynccontextmanager
    async def answering(self, _ask: ModelAsk) -> AsyncIterator[AnswerStream]:
        yield _Endless()


def test_an_answer_without_an_end_fails_and_is_not_asked_for_again() -> None:
    talk = Conversation(_EndlessModel([]))
    with pytest.raises(ModelFailed, match="not read to its end"):
        asyncio.run(asyncio.wait_for(talk.run(), 30))
    assert "AutoRetryStart" not in talk.kinds()
    assert_valid(talk.messages)


@pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")
def test_a_program_of_the_workspace_is_none_of_the_users_whatever_path_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("wl-paste", "code", "bun", "node"):
        (tmp_path / name).write_text("#!/bin/sh\ntouch ran\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    places = Places(str(tmp_path), str(tmp_path), {"PATH": ".::" + os.defpath})
    asyncio.run(clipboard_image(places))
    assert not command_of(CommandLine(("code",)), places).startswith(".")
    with suppress(PiscesError):  # there may be none but those of the workspace
        assert os.path.isabs(runtime_in(places.env).argv[0])
    assert not (tmp_path / "ran").exists()


def test_an_editor_that_cannot_be_read_as_words_is_no_crash(tmp_path: Path) -> None:
    places = Places(str(tmp_path), str(tmp_path), {"EDITOR": "'"})
    assert asyncio.run(edited("text", places)) is None

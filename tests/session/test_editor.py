"""The editor's context goes with the user's messages: all of it first, then what changed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pisces.ide import Companion, Editor, Window
from pisces.session.session import Session
from pisces.shapes.events.surroundings import IdeContextChanged
from pisces.shapes.ide_context import Cursor
from tests.session.world import SessionWorld, until


class EditorWorld(SessionWorld):
    def __init__(self, folder: Path, turns: Any, **options: Any) -> None:
        super().__init__(folder, turns, **options)
        self.file = self.work / "main.py"
        self.file.write_text("answer = 42\n", encoding="utf-8")
        editor = Editor(lambda _path, _text: None, lambda _path: None)
        window = Window((str(self.work),), "desk", "Desk")
        self.companion = Companion(window, editor, env=dict(self.places.env))
        self.companion.open_files.focus(str(self.file), Cursor(1, 3), "answer")


def test_what_is_selected_in_the_editor_goes_with_the_first_message_and_once(tmp_path: Path) -> None:
    world = EditorWorld(tmp_path, ["one", "two"])

    async def work(session: Session) -> None:
        await until(lambda: bool(world.of(IdeContextChanged)))
        await session.submit("what is this?")
        await session.submit("and now?")

    with world.companion:
        world.during(work)
    first, _, second = world.sent()
    assert '"selectedText": "answer"' in first
    assert second == "and now?"


def test_the_editor_can_be_left_out(tmp_path: Path) -> None:
    world = EditorWorld(tmp_path, ["one"], uses_editor=False)
    with world.companion:
        world.submit("what is this?")
    assert world.sent() == ["what is this?"]


def test_without_an_editor_nothing_is_looked_for(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one"])

    async def work(session: Session) -> object:
        await session.submit("hi")
        return session.editor.client

    assert world.during(work) is None


def test_a_trace_of_an_editor_that_is_gone_delays_nothing_and_is_given_up(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one"])
    trace = tmp_path / "gemini" / "ide"
    trace.mkdir(parents=True)
    (trace / "gemini-ide-server-1-2.json").write_text('{"port": 2, "workspacePath": "/nowhere"}', encoding="utf-8")

    async def work(session: Session) -> None:
        await session.submit("hi")
        await until(lambda: session.editor.client is None)

    world.during(work)
    assert world.sent() == ["hi"]


def test_an_editor_that_starts_after_the_session_is_found_with_the_next_message(tmp_path: Path) -> None:
    world = EditorWorld(tmp_path, ["one", "two"])

    async def work(session: Session) -> None:
        await session.submit("hi")
        assert session.editor.client is None
        with world.companion:
            await session.submit("what is this?")

    world.during(work)
    first, _, second = world.sent()
    assert first == "hi"
    assert '"selectedText": "answer"' in second


def test_an_editor_that_comes_back_after_it_was_given_up_is_found(tmp_path: Path) -> None:
    world = EditorWorld(tmp_path, ["one", "two"])
    trace = tmp_path / "gemini" / "ide"
    trace.mkdir(parents=True)
    (trace / "gemini-ide-server-1-2.json").write_text('{"port": 2, "workspacePath": "/nowhere"}', encoding="utf-8")

    async def work(session: Session) -> None:
        await session.submit("hi")
        await until(lambda: session.editor.client is None)
        with world.companion:
            await session.submit("what is this?")

    world.during(work)
    assert '"selectedText": "answer"' in world.sent()[-1]


def test_an_editor_that_does_not_answer_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pisces.ide.client.client._PAUSES", (0.001,))
    world = SessionWorld(tmp_path, ["one"])
    trace = tmp_path / "gemini" / "ide"
    trace.mkdir(parents=True)
    record = {"port": 9, "workspacePath": str(world.work), "authToken": "t"}
    (trace / f"gemini-ide-server-{os.getpid()}-9.json").write_text(json.dumps(record), encoding="utf-8")

    async def work(session: Session) -> None:
        await until(lambda: session.editor.client is None)

    world.during(work)

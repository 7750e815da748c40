"""Our client against a companion that behaves as the official one for VS Code does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pisces.formats.sse import Events, EventTooLarge, ServerSentEvent
from pisces.ide.client.client import CONNECTED, DISCONNECTED
from pisces.ide.client.diff import EDITOR, TERMINAL, DiffOutcome
from tests.ide.client_room import Room, connected, run, until
from tests.ide.vscode_like import VsCodeLike, open_file


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_the_first_context_comes_through_events_in_chunks(room: Room) -> None:
    async def body() -> None:
        async with room.client() as ide:
            context = await ide.first_context()
            assert context
            assert context.is_trusted is True
            assert context.open_files[0].selected_text == "grüße 🐟"
            assert ide.connection
            assert ide.connection.can_diff

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main, isActive=True, selectedText="grüße 🐟", cursor={"line": 1, "character": 1}))
        run(body())


def test_the_environment_alone_is_enough(room: Room, tmp_path: Path) -> None:
    async def body(env: dict[str, str]) -> None:
        async with room.client(**env) as ide:
            assert await ide.first_context()
            assert ide.connection
            assert ide.connection.endpoint.source == "environment"

    elsewhere = tmp_path / "elsewhere"
    with VsCodeLike(elsewhere, room.project) as editor:
        editor.show(open_file(room.main))
        run(body(editor.env))


def test_pings_and_unknown_notifications_disturb_nobody(room: Room) -> None:
    async def body(editor: VsCodeLike) -> None:
        async with room.client() as ide:
            await ide.first_context()
            for method in ("ping", "notifications/message", "ide/somethingNew"):
                editor.send(method)
            editor.show(open_file(room.main, 2))
            await until(ide, lambda: ide.context and ide.context.open_files[0].timestamp == 2)
            assert ide.status.state == CONNECTED

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        run(body(editor))


def test_a_stream_that_ends_cleanly_is_opened_again_in_the_same_session(room: Room) -> None:
    async def body(editor: VsCodeLike) -> None:
        async with room.client() as ide:
            await ide.first_context()
            editor.end_streams()
            editor.show(open_file(room.main, 2))  # waits in the session until the stream is back
            await until(ide, lambda: ide.context and ide.context.open_files[0].timestamp == 2)
            assert ide.status.state == CONNECTED
            assert len(editor.sessions) == 1

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        run(body(editor))


def test_a_restart_with_a_new_port_and_token_is_found(room: Room) -> None:
    async def body() -> None:
        async with room.client() as ide:
            with VsCodeLike(room.folder, room.project) as first:
                await connected(ide)
                assert first.sessions
            await until(ide, lambda: ide.status.state == DISCONNECTED)
            with VsCodeLike(room.folder, room.project) as second:
                second.show(open_file(room.main, 7))
                await until(ide, lambda: ide.context)
                await connected(ide)

    run(body())


@pytest.mark.parametrize(
    "params",
    [
        {"workspaceState": {"openFiles": [{"path": "/w/a.py"}]}},
        {"workspaceState": {"openFiles": [{"path": None, "timestamp": 1}]}},
        {"workspaceState": {"openFiles": "all"}},
        {"workspaceState": {"openFiles": [{"path": "/w/a", "timestamp": 1, "cursor": None}]}},
        {"workspaceState": {"openFiles": [{"path": "/w/a", "timestamp": 1}] * 1001}},
        None,
        [],
    ],
)
def test_an_update_that_is_no_good_is_told_and_the_last_good_one_stays(room: Room, params: Any) -> None:
    async def body(editor: VsCodeLike) -> None:
        async with room.client() as ide:
            before = await ide.first_context()
            editor.send("ide/contextUpdate", params)
            await until(ide, lambda: ide.problem)
            assert ide.status.state == CONNECTED
            assert ide.context == before

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        run(body(editor))


def test_a_companion_without_diffs_gives_context_only(room: Room) -> None:
    async def body() -> None:
        async with room.client() as ide:
            assert await ide.first_context()
            diff = await ide.open_diff(str(room.main), "new")
            assert diff.failure == "the editor shows no diffs"
            assert await diff.accept() == DiffOutcome(is_accepted=True)

    with VsCodeLike(room.folder, room.project) as editor:
        editor.tools = []
        editor.show(open_file(room.main))
        run(body())


def test_a_companion_without_a_stream_does_not_keep_a_one_shot_run_waiting(room: Room) -> None:
    async def body() -> None:
        async with room.client() as ide:
            assert await ide.first_context(60) is None
            assert ide.status.state == CONNECTED

    with VsCodeLike(room.folder, room.project, ["stream"]):
        run(body())


def test_a_diff_is_accepted_and_rejected_in_the_editor(room: Room) -> None:
    async def body(editor: VsCodeLike) -> list[DiffOutcome]:
        answers = []
        async with room.client() as ide:
            await ide.first_context()
            path = str(room.main)
            in_the_editor: list[Callable[[], None]] = [
                lambda: editor.accept(path, "edited"),
                lambda: editor.accept(path, ""),
                lambda: editor.reject(path),
                lambda: editor.reject(path, "ide/diffClosed"),
            ]
            for answer in in_the_editor:
                diff = await ide.open_diff(path, "proposed")
                editor.accept("/another/file", "not ours")
                answer()
                answers.append(await diff.answer())
        return answers

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        answers = run(body(editor))
    assert answers == [
        DiffOutcome(is_accepted=True, content="edited", by=EDITOR),
        DiffOutcome(is_accepted=True, content="", by=EDITOR),
        DiffOutcome(is_accepted=False, by=EDITOR),
        DiffOutcome(is_accepted=False, by=EDITOR),
    ]


def test_an_answer_in_the_terminal_closes_the_view_and_takes_what_is_in_it(room: Room) -> None:
    async def body(editor: VsCodeLike) -> None:
        async with room.client() as ide:
            await ide.first_context()
            for text in ("typed in the editor", ""):
                diff = await ide.open_diff(str(room.main), "proposed")
                editor.diffs[str(room.main)] = text
                assert await diff.accept() == DiffOutcome(is_accepted=True, content=text, by=TERMINAL)
                assert editor.calls[-1] == ("closeDiff", {"filePath": str(room.main), "suppressNotification": True})

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        run(body(editor))


@pytest.mark.parametrize("defect", ["raw-text", "diff-unknown"])
def test_what_closing_answers_in_a_wrong_form_is_not_taken_for_the_file(room: Room, defect: str) -> None:
    async def body(editor: VsCodeLike) -> DiffOutcome:
        async with room.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(room.main), "proposed")
            if defect == "diff-unknown":
                editor.diffs.clear()
            return await diff.accept()

    with VsCodeLike(room.folder, room.project, [defect]) as editor:
        editor.show(open_file(room.main))
        assert run(body(editor)) == DiffOutcome(is_accepted=True, content=None, by=TERMINAL)


def test_an_editor_that_calls_closing_a_rejection_does_not_overrule_the_terminal(room: Room) -> None:
    async def body() -> DiffOutcome:
        async with room.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(room.main), "proposed")
            return await diff.accept()

    with VsCodeLike(room.folder, room.project, ["diff-silent"]) as editor:
        editor.show(open_file(room.main))
        assert run(body()) == DiffOutcome(is_accepted=True, content="proposed", by=TERMINAL)


def test_an_editor_that_cannot_show_a_diff_leaves_the_answer_to_the_terminal(room: Room) -> None:
    async def body() -> DiffOutcome:
        async with room.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(room.main), "proposed")
            assert diff.failure == "no window to show it in"
            return await diff.accept()

    with VsCodeLike(room.folder, room.project, ["diff-fails"]) as editor:
        editor.show(open_file(room.main))
        assert run(body()) == DiffOutcome(is_accepted=True, by=TERMINAL)


def test_a_diff_outlives_the_connection(room: Room) -> None:
    async def body() -> DiffOutcome:
        async with room.client() as ide:
            with VsCodeLike(room.folder, room.project):
                await connected(ide)
                diff = await ide.open_diff(str(room.main), "proposed")
            await until(ide, lambda: ide.status.state == DISCONNECTED)
            return await diff.accept()

    assert run(body()) == DiffOutcome(is_accepted=True, by=TERMINAL)


def test_nobody_who_waits_for_an_answer_can_take_it_from_the_others(room: Room) -> None:
    async def body(editor: VsCodeLike) -> DiffOutcome:
        async with room.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(room.main), "proposed")
            impatient = asyncio.create_task(diff.answer())
            await asyncio.sleep(0)
            impatient.cancel()
            editor.reject(str(room.main))
            return await diff.answer()

    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        assert not run(body(editor)).is_accepted


@pytest.mark.parametrize("piece", [b"x" * 100, b"data\n" * 20, b"data: " + b"x" * 100 + b"\n"])
def test_an_event_without_an_end_is_given_up(piece: bytes) -> None:
    events = Events(10_000)
    with pytest.raises(EventTooLarge, match="more than 10,000 bytes"):
        assert [event for _ in range(1000) for event in events.fed(piece)] == []


def test_an_event_in_the_smallest_pieces_costs_no_more_than_in_large_ones() -> None:
    events, start = Events(), monotonic()
    for _ in range(30_000):
        events.fed(b"x")
    assert monotonic() - start < 5


STREAM = (
    "\ufeff: hello\r\nid: 7\rretry: 250\ndata: one\ndata:two\n\nevent: other\ndata:  x\r\n\r\ndata\n\nid\n\ndata: lost"
).encode()
EVENTS = [ServerSentEvent("message", "one\ntwo"), ServerSentEvent("other", " x"), ServerSentEvent("message", "")]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_read_however_they_are_cut(size: int) -> None:
    events = Events()
    found = [event for at in range(0, len(STREAM), size) for event in events.fed(STREAM[at : at + size])]
    assert found == EVENTS
    assert (events.last_id, events.pause) == ("", 0.25)

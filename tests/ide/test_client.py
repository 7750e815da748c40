"""Our client and our companion: context at once, diffs from both sides, and back by itself after a restart."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from pisces.ide import Companion, CompanionOptions, Editor, Window
from pisces.ide.client import diff
from pisces.ide.client.client import CONNECTED, DISCONNECTED
from pisces.ide.client.connection import hosts
from pisces.ide.client.diff import EDITOR, TERMINAL, DiffOutcome
from pisces.shapes.ide_context import Cursor
from tests.ide.client_room import Room, connected, run, until


class Desk(Room):
    """With one window of an editor, which shows diffs."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.shown: dict[str, str] = {}
        editor = Editor(self.shown.__setitem__, lambda path: self.shown.pop(path, None))
        self.companion = Companion(Window((str(self.project),), "desk", "Desk"), editor, env=self.env)
        self.companion.open_files.focus(str(self.main), Cursor(1, 3), "answer")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_one_shot_run_gets_its_context(desk: Desk) -> None:
    async def body() -> None:
        async with desk.client() as ide:
            context = await ide.first_context()
            assert context
            assert [(file.path, file.selected_text) for file in context.open_files] == [(str(desk.main), "answer")]
            assert ide.status.state == CONNECTED

    with desk.companion:
        run(body())


def test_without_an_editor_nobody_waits(tmp_path: Path) -> None:
    async def body() -> float:
        async with Room(tmp_path).client() as ide:
            began = time.monotonic()
            assert await ide.first_context(30) is None
            assert ide.status.state == DISCONNECTED
            assert "pisces ide install" in ide.status.reason
            return time.monotonic() - began

    assert run(body()) < 10


def test_an_editor_that_does_not_answer_costs_no_more_than_the_bound(tmp_path: Path) -> None:
    async def body() -> float:
        room = Room(tmp_path)
        callers: list[asyncio.StreamWriter] = []
        silent = await asyncio.start_server(lambda _, writer: callers.append(writer), "127.0.0.1", 0)
        port = silent.sockets[0].getsockname()[1]
        env = {"GEMINI_CLI_IDE_SERVER_PORT": str(port), "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.project)}
        async with silent:
            async with room.client(**env) as ide:
                began = time.monotonic()
                assert await ide.first_context(0.2) is None
                took = time.monotonic() - began
            assert callers
            for caller in callers:
                caller.close()
        return took

    assert run(body()) < 2


def test_changes_arrive_while_connected(desk: Desk) -> None:
    other = desk.project / "other.py"
    other.write_text("")

    async def body() -> None:
        async with desk.client() as ide:
            await ide.first_context()
            desk.companion.open_files.focus(str(other), Cursor(1, 1))
            await until(ide, lambda: ide.context and ide.context.open_files[0].path == str(other))
            assert ide.context
            assert [file.is_active for file in ide.context.open_files] == [True, False]

    with desk.companion:
        run(body())


def test_it_comes_back_by_itself_on_a_new_port(desk: Desk) -> None:
    async def body() -> None:
        async with desk.client() as ide:
            await ide.first_context()
            before = desk.companion.port
            desk.companion.stop()
            await until(ide, lambda: ide.status.state == DISCONNECTED)
            assert ide.context is None
            desk.companion.start()
            assert desk.companion.port != before
            await until(ide, lambda: ide.context)
            await connected(ide)
            assert ide.connection
            assert ide.connection.endpoint.port == desk.companion.port

    with desk.companion:
        run(body())


def test_it_finds_an_editor_that_starts_later(desk: Desk) -> None:
    async def body() -> None:
        async with desk.client() as ide:
            await until(ide, lambda: ide.status.state == DISCONNECTED)
            desk.companion.start()
            await until(ide, lambda: ide.context)

    try:
        run(body())
    finally:
        desk.companion.stop()


def test_a_diff_is_accepted_in_the_editor_with_the_users_changes(desk: Desk) -> None:
    async def body() -> DiffOutcome:
        async with desk.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(desk.main), "answer = 43\n")
            assert desk.shown == {str(desk.main): "answer = 43\n"}
            assert desk.companion.accept(str(desk.main), "answer = 44\n")
            return await diff.answer()

    with desk.companion:
        assert run(body()) == DiffOutcome(is_accepted=True, content="answer = 44\n", by=EDITOR)


def test_an_emptied_file_is_an_answer_of_its_own(desk: Desk) -> None:
    async def body() -> tuple[DiffOutcome, DiffOutcome]:
        async with desk.client() as ide:
            await ide.first_context()
            first = await ide.open_diff(str(desk.main), "new")
            desk.companion.accept(str(desk.main), "")
            in_editor = await first.answer()
            second = await ide.open_diff(str(desk.main), "new")
            desk.shown[str(desk.main)] = ""
            return in_editor, await second.accept()

    with desk.companion:
        in_editor, in_terminal = run(body())
    assert in_editor == DiffOutcome(is_accepted=True, content="", by=EDITOR)
    assert in_terminal == DiffOutcome(is_accepted=True, content="", by=TERMINAL)


def test_a_diff_is_rejected_in_the_editor(desk: Desk) -> None:
    async def body() -> DiffOutcome:
        async with desk.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(desk.main), "new")
            desk.companion.reject(str(desk.main))
            return await diff.answer()

    with desk.companion:
        assert run(body()) == DiffOutcome(is_accepted=False, by=EDITOR)


def test_a_diff_is_accepted_in_the_terminal_with_what_is_in_the_editor_by_then(desk: Desk) -> None:
    async def body() -> DiffOutcome:
        async with desk.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(desk.main), "new")
            desk.shown[str(desk.main)] = "changed by hand"
            return await diff.accept()

    with desk.companion:
        assert run(body()) == DiffOutcome(is_accepted=True, content="changed by hand", by=TERMINAL)
    assert not desk.shown, "the view is closed"


def test_a_diff_is_rejected_in_the_terminal(desk: Desk) -> None:
    async def body() -> DiffOutcome:
        async with desk.client() as ide:
            await ide.first_context()
            return await (await ide.open_diff(str(desk.main), "new")).reject()

    with desk.companion:
        assert run(body()) == DiffOutcome(is_accepted=False, by=TERMINAL)
    assert not desk.shown


def test_a_second_diff_waits_for_the_first(desk: Desk) -> None:
    other = str(desk.project / "other.py")

    async def body() -> None:
        async with desk.client() as ide:
            await ide.first_context()
            first = await ide.open_diff(str(desk.main), "1")
            waiting = asyncio.create_task(ide.open_diff(other, "2"))
            await asyncio.sleep(0)
            assert other not in desk.shown
            await first.reject()
            second = await waiting
            assert list(desk.shown) == [other]
            await second.reject()

    with desk.companion:
        run(body())


def test_what_is_open_at_the_end_is_closed(desk: Desk) -> None:
    async def body() -> None:
        async with desk.client() as ide:
            await ide.first_context()
            await ide.open_diff(str(desk.main), "new")

    with desk.companion:
        run(body())
        assert not desk.shown


def test_an_editor_that_does_not_answer_leaves_the_diff_to_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diff, "_SHOWN_SECONDS", 0.2)
    room, go = Room(tmp_path), threading.Event()
    shown: list[str] = []

    def show(path: str, _content: str) -> None:
        go.wait(30)
        shown.append(path)

    async def body() -> DiffOutcome:
        async with room.client() as ide:
            await ide.first_context()
            opened = await ide.open_diff(str(room.main), "new")
            assert not go.is_set()
            assert not opened.is_shown
            return await opened.accept()

    options = CompanionOptions(editor_answers_within=60)
    window = Window((str(room.project),), "desk")
    with Companion(window, Editor(show, lambda path: shown.remove(path)), options, room.env):
        assert run(body()) == DiffOutcome(is_accepted=True, by=TERMINAL)
        go.set()


def test_without_an_editor_a_diff_can_be_answered_in_the_terminal(tmp_path: Path) -> None:
    async def body() -> DiffOutcome:
        async with Room(tmp_path).client() as ide:
            await ide.first_context()
            diff = await ide.open_diff("/w/a.py", "new")
            assert not diff.is_shown
            assert diff.failure == "no editor is connected"
            return await diff.accept()

    assert run(body()) == DiffOutcome(is_accepted=True, content=None, by=TERMINAL)


def test_a_diff_of_10_mb_goes_through(desk: Desk) -> None:
    large = "0123456789abcdef" * 655_360

    async def body() -> DiffOutcome:
        async with desk.client() as ide:
            await ide.first_context()
            diff = await ide.open_diff(str(desk.main), large)
            assert diff.is_shown, diff.failure
            return await diff.accept()

    with desk.companion:
        assert run(body()).content == large


def test_a_companion_may_be_a_program_on_stdin_and_stdout(tmp_path: Path) -> None:
    room = Room(tmp_path)
    program = Path(__file__).with_name("stdio_companion.py")
    env = {
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.project),
        "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND": sys.executable,
        "GEMINI_CLI_IDE_SERVER_STDIO_ARGS": json.dumps([str(program), str(room.main), str(tmp_path / "pid")]),
        "SECRET_OF_OURS": "1",
    }

    async def body() -> None:
        async with room.client(**env) as ide:
            context = await ide.first_context(20)
            assert context
            assert context.open_files[0].path == str(room.main)
            assert context.open_files[0].selected_text == "none of our secrets"
            diff = await ide.open_diff(str(room.main), "new")
            assert (await diff.accept()).content == "new, by stdio"

    run(body())
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_program_that_cannot_be_started_is_a_reason(tmp_path: Path) -> None:
    room = Room(tmp_path)

    async def body() -> str:
        env = {
            "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.project),
            "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND": str(tmp_path / "missing"),
        }
        async with room.client(**env) as ide:
            await ide.first_context()
            return ide.status.reason

    assert "cannot be started: no such file" in run(body())


def test_a_wrong_token_is_a_reason(desk: Desk) -> None:
    async def body() -> str:
        file = Path(desk.companion.files[0])
        told = json.loads(file.read_text())
        file.write_text(json.dumps({**told, "authToken": "wrong"}))
        async with desk.client() as ide:
            await ide.first_context()
            return ide.status.reason

    with desk.companion:
        assert "does not accept the token (401)" in run(body())


def test_from_inside_a_container_the_machine_around_it_is_tried_too(tmp_path: Path) -> None:
    marker = tmp_path / ".dockerenv"
    assert hosts({}, (str(marker),)) == ["127.0.0.1"]
    marker.touch()
    assert hosts({}, (str(marker),)) == ["127.0.0.1", "host.docker.internal"]
    assert hosts({"SSH_CONNECTION": "x"}, (str(marker),)) == ["127.0.0.1"]

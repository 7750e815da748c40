"""A change of a file is shown in the editor and asked about in the terminal: the first answer counts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pisces import Host
from pisces.ide import Companion, Editor, Window
from pisces.ide.client.client import IdeClient
from pisces.models.scripted import ScriptedModel
from pisces.places import Places
from pisces.session.edit_review import EditReview
from pisces.session.session import Session
from pisces.shapes.events.tools import ToolResult
from pisces.shapes.message import CallPart
from pisces.shapes.verdict import DENY, Verdict
from pisces.tools.workbench import FilesSeen, Workbench, own_tools
from tests.ide.client_room import PATIENCE, Room, connected, run, until

WRITE = {"path": "new.txt", "content": "proposed\n"}
EDIT = {"path": "main.py", "old": "42", "new": "43"}
Act = Callable[["Desk", IdeClient], Awaitable[None]]


class Desk(Room):
    """With a window that shows diffs, and a terminal that waits for `say`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.shown: dict[str, str] = {}
        self.closed: list[str] = []
        editor = Editor(self.shown.__setitem__, self._close)
        self.companion = Companion(Window((str(self.project),), "desk", "Desk"), editor, env=self.env)
        self.asked: list[asyncio.Future[Any]] = []
        self.is_cancelled = False
        self.calling: asyncio.Future[ToolResult]

    def _close(self, path: str) -> str | None:
        self.closed.append(path)
        return self.shown.pop(path, None)

    async def approve(self, *_: Any) -> Any:
        self.asked.append(asyncio.get_running_loop().create_future())
        try:
            return await self.asked[-1]
        except asyncio.CancelledError:
            self.is_cancelled = True
            raise

    async def call(self, tool: str, given: dict[str, Any], act: Act) -> ToolResult:
        """What becomes of a call while `act` does what the user does."""
        async with self.client() as ide:
            await connected(ide)
            seen = FilesSeen()
            places = ide._places
            bench = Workbench(places, lambda: places.cwd, tuple, self.approve, seen)
            review = EditReview(self.approve, lambda: ide, bench.folder, seen)
            async with Host.open(places, review, tools=own_tools(bench), discover=False) as host:
                await host.call("read", {"path": "main.py"})
                self.calling = asyncio.ensure_future(host.call(tool, given))
                await until(ide, lambda: (self.shown or tool == "shell") and self.asked)
                await act(self, ide)
                return await self.calling


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def outcome(desk: Desk, tool: str, given: dict[str, Any], act: Act) -> ToolResult:
    with desk.companion:
        return run(desk.call(tool, given, act))


def shown_path(desk: Desk) -> str:
    return next(iter(desk.shown))


async def accept(desk: Desk, _ide: IdeClient) -> None:
    path, text = next(iter(desk.shown.items()))
    desk.companion.accept(path, text)


async def accept_changed(desk: Desk, _ide: IdeClient) -> None:
    desk.companion.accept(shown_path(desk), "mine\n")


async def reject(desk: Desk, _ide: IdeClient) -> None:
    desk.companion.reject(shown_path(desk))


def test_the_editor_shows_what_would_be_written(desk: Desk) -> None:
    async def act(desk: Desk, ide: IdeClient) -> None:
        assert desk.shown == {str(desk.main): "answer = 43\n"}
        await accept(desk, ide)

    assert not outcome(desk, "edit", EDIT, act).is_error
    assert desk.main.read_text() == "answer = 43\n"
    assert desk.is_cancelled, "the terminal asks no longer"


def test_a_no_in_the_editor_is_a_no(desk: Desk) -> None:
    result = outcome(desk, "write", WRITE, reject)
    assert (result.is_error, result.text) == (True, "the user rejected it in the editor")
    assert not (desk.project / "new.txt").exists()
    assert desk.is_cancelled


@pytest.mark.parametrize(("tool", "given", "name"), [("write", WRITE, "new.txt"), ("edit", EDIT, "main.py")])
def test_what_the_user_changed_in_the_editor_is_what_is_written(
    desk: Desk, tool: str, given: dict[str, Any], name: str
) -> None:
    result = outcome(desk, tool, given, accept_changed)
    assert (desk.project / name).read_text() == "mine\n"
    assert "the user changed your text before it was stored: `read` it again" in result.text


def test_a_yes_in_the_terminal_closes_the_editors_view(desk: Desk) -> None:
    async def act(desk: Desk, ide: IdeClient) -> None:
        desk.asked[0].set_result(True)
        await until(ide, lambda: desk.closed)

    assert not outcome(desk, "write", WRITE, act).is_error
    assert (desk.project / "new.txt").read_text() == "proposed\n"


def test_a_no_in_the_terminal_closes_the_editors_view(desk: Desk) -> None:
    async def act(desk: Desk, ide: IdeClient) -> None:
        desk.asked[0].set_result(Verdict(DENY, "user", "not now"))
        await until(ide, lambda: desk.closed)

    assert outcome(desk, "write", WRITE, act).text == "not now"
    assert not (desk.project / "new.txt").exists()


def test_an_editor_that_goes_away_leaves_the_question_to_the_terminal(desk: Desk) -> None:
    async def act(desk: Desk, ide: IdeClient) -> None:
        await asyncio.to_thread(desk.companion.stop)
        await until(ide, lambda: ide.connection is None)
        desk.asked[0].set_result(True)

    assert not outcome(desk, "write", WRITE, act).is_error


def test_a_cancelled_call_closes_both_sides(desk: Desk) -> None:
    async def act(desk: Desk, ide: IdeClient) -> None:
        desk.calling.cancel()
        await until(ide, lambda: desk.closed and desk.is_cancelled)

    with pytest.raises(asyncio.CancelledError):
        outcome(desk, "write", WRITE, act)
    assert not (desk.project / "new.txt").exists()


def test_what_changes_no_file_is_asked_in_the_terminal_alone(desk: Desk) -> None:
    async def act(desk: Desk, _ide: IdeClient) -> None:
        desk.asked[0].set_result(True)

    assert outcome(desk, "shell", {"command": "echo made > x; cat x"}, act).text == "made"
    assert not desk.closed


def test_a_call_that_cannot_be_shown_is_asked_in_the_terminal_alone(desk: Desk) -> None:
    async def body() -> ToolResult:
        async with desk.client() as ide:
            await connected(ide)
            seen = FilesSeen()
            bench = Workbench(ide._places, lambda: str(desk.project), tuple, desk.approve, seen)
            review = EditReview(lambda _request, _questions: True, lambda: ide, bench.folder, seen)
            async with Host.open(ide._places, review, tools=own_tools(bench), discover=False) as host:
                return await host.call("edit", {"path": "gone.py", "old": "a", "new": "b"})

    with desk.companion:
        assert "does not exist" in run(body()).text
    assert not desk.shown


def test_who_answers_without_asking_leaves_the_editor_alone(desk: Desk) -> None:
    async def approve(*_: Any) -> bool:
        return False

    async def body() -> ToolResult:
        async with desk.client() as ide:
            await connected(ide)
            seen = FilesSeen()
            bench = Workbench(ide._places, lambda: str(desk.project), tuple, desk.approve, seen)
            review = EditReview(approve, lambda: ide, bench.folder, seen)
            async with Host.open(ide._places, review, tools=own_tools(bench), discover=False) as host:
                return await host.call("write", WRITE)

    with desk.companion:
        assert run(body()).denied_by == "user"
    assert not desk.shown
    assert not desk.closed


def test_a_session_shows_its_edits_in_the_editor(desk: Desk) -> None:
    calls = (CallPart("1", "read", {"path": "main.py"}),), (CallPart("2", "edit", EDIT),), "Done."
    places = Places(str(desk.folder), str(desk.project), desk.env)

    async def body() -> None:
        async with Session.open(places, desk.approve, model=ScriptedModel(calls), discover=False) as session:
            answering = asyncio.ensure_future(session.submit("change it"))
            async with asyncio.timeout(PATIENCE):
                while not desk.shown:
                    await asyncio.sleep(0.02)
            desk.companion.accept(shown_path(desk), "answer = 44\n")
            await answering

    with desk.companion:
        run(body())
    assert desk.main.read_text() == "answer = 44\n"

"""Tools of MCP servers are there with the first request, and the start of a server is judged as ever."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from pisces.session import server_starts
from pisces.session.session import Session
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.message import CallPart
from pisces.ui.terminal.completion import SessionCompleter
from pisces.ui.terminal.own_commands import own_commands
from pisces.ui.terminal.panel import ScreenCall
from tests.ui.terminal_views.collecting_screen import CollectingScreen

from .world import SessionWorld, until

SERVER = Path(__file__).parents[1] / "mcp" / "servers" / "shell_server.py"


def with_server(world: SessionWorld, folder: Path, command: str = sys.executable) -> SessionWorld:
    settings = folder / ".gemini" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    entry = {"command": command, "args": [str(SERVER)]}
    settings.write_text(json.dumps({"mcpServers": {"sums": entry}}), encoding="utf-8")
    return world


def test_the_model_is_offered_the_tools_of_a_server_that_was_never_started(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "sums__add", {"a": 1, "b": 2}),), "3"])
    with_server(world, tmp_path).submit("add them")
    assert "sums__add" in [each.name for each in world.model.asked[0].tools]
    assert "3" in world.model.asked[1].messages[-1].parts[0].text  # type: ignore[union-attr]


def test_a_server_of_the_project_is_not_started_if_nobody_agrees(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["no tools", "still none"])
    world.options = world.options.replace(approve=lambda _request, _questions: False)
    with_server(world, world.work).submit("add them", "and again")
    assert not any("sums" in each.name for ask in world.model.asked for each in ask.tools)
    said = [each.message for each in world.events if isinstance(each, Notification)]
    assert len([each for each in said if "`sums` is not there" in each]) == 1


def test_the_time_in_which_the_user_is_asked_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_starts, "_SECONDS", 0.05)
    world = SessionWorld(tmp_path, ["an answer"])

    async def slowly(_request: object, _questions: object) -> bool:
        await asyncio.sleep(0.5)
        return True

    world.options = world.options.replace(approve=slowly)
    with_server(world, world.work).submit("add them")
    assert not [each for each in world.events if isinstance(each, Notification) and "asked" in each.message]


def test_a_server_that_cannot_start_is_said_and_the_agent_answers(tmp_path: Path) -> None:
    world = with_server(SessionWorld(tmp_path, ["an answer"]), tmp_path, command="/no/such/program")
    (answered,) = world.submit("hello")
    assert answered.end.text == "an answer"
    assert any("`sums` is not there" in each.message for each in world.events if isinstance(each, Notification))


def test_a_server_can_be_ended_and_started_again_in_a_session(tmp_path: Path) -> None:
    world = with_server(SessionWorld(tmp_path, ["one", "two", "three"]), tmp_path)

    async def work(session: Session) -> list[bool]:
        offered = []
        for line in ("", "/mcp disable sums", "/mcp enable sums"):
            if line:
                await own_commands()["mcp"].run(ScreenCall(line.removeprefix("/mcp "), session, screen))
            await session.submit("hi")
            offered.append("sums__add" in [each.name for each in world.model.asked[-1].tools])
        first = session.host.servers["sums"]
        await own_commands()["mcp"].run(ScreenCall("restart sums", session, screen))
        assert session.host.servers["sums"] is not first
        assert (first.state, session.host.servers["sums"].state) == ("closed", "up")
        await own_commands()["mcp"].run(ScreenCall("restart nothing", session, screen))
        return offered

    screen = CollectingScreen()
    assert world.during(work) == [True, False, True]
    assert "off for this session" in screen.printed[0]
    assert "no MCP server `nothing`" in screen.printed[-1]


def test_what_a_server_that_runs_has_is_completed_and_none_is_started_for_it(tmp_path: Path) -> None:
    world = with_server(SessionWorld(tmp_path), tmp_path)

    async def work(session: Session) -> None:
        completer = SessionCompleter(session)

        def found() -> list[str]:
            document = Document("see @sums:note")
            return [each.text for each in completer.get_completions(document, CompleteEvent())]

        assert "sums:note://one" not in found()
        assert session.host.servers["sums"].state == "idle"
        await session.host.connect("sums")
        await until(lambda: "sums:note://one" in found())
        await session.host.stop_server("sums")
        assert "sums:note://one" not in found()
        assert session.host.servers["sums"].state == "closed"

    world.during(work)

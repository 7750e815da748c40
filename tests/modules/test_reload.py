"""A module is loaded again while the session runs: the new one takes over, and nothing of the old one is left."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.modules.actions import Stale
from pisces.modules.module_set import open_modules
from pisces.shapes.events import Input, TurnStart
from pisces.testing import ScriptedHost, scripted_session
from tests.modules.python_module import module

FIRST = """
@pisces.on(SessionStart)
def start(event): pisces.ui.notify(f"1 starts: {event.cause}")
@pisces.on(SessionShutdown)
def stop(event): pisces.ui.notify(f"1 stops: {event.cause}")
@pisces.on(Input)
def mark(event): return event.replace(text=event.text + "1")
@pisces.tool("api")
def api(): return pisces
@pisces.command("old")
def old(args): return "old"
"""
SECOND = FIRST.replace("1", "2").replace('"old"', '"new"')


def test_the_new_one_takes_over_and_the_old_one_says_goodbye(tmp_path: Path) -> None:
    path = module(tmp_path, FIRST)
    with scripted_session(path) as session:
        assert session.emit(Input("")).text == "1"
        module(tmp_path, SECOND)
        assert session.emit(Input("")).text == "1", "not before it is loaded again"
        assert session.reload() == ()
        assert session.emit(Input("")).text == "2"
        assert [text for _, text in session.notices] == ["1 starts: startup", "1 stops: reload", "2 starts: reload"]
        assert set(session.runner.commands) == {"new"}


def test_the_api_of_the_old_one_is_stale(tmp_path: Path) -> None:
    with scripted_session(module(tmp_path, FIRST)) as session:
        old = session.tool("api").details
        old.ui.notify("still alive")
        session.reload()
        with pytest.raises(Stale, match="`ui` was called by an unloaded generation of `mod`"):
            old.ui.notify("from the grave")
        with pytest.raises(Stale):
            old.bus.emit("word")
        with pytest.raises(Stale):
            old.on(Input)(print)
        with pytest.raises(Stale):
            old.append_entry("x", 1)
        session.tool("api").details.ui.notify("alive")


def test_tasks_and_listeners_of_the_old_one_are_gone(tmp_path: Path) -> None:
    body = """
        async def tick():
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                pisces_notices.append("task ended")
                raise
        pisces_notices = []
        @pisces.on(SessionStart)
        async def start(event): asyncio.create_task(tick())
        @pisces.on(SessionShutdown)
        async def stop(event): asyncio.create_task(tick())
        pisces.bus.on("word", lambda value: pisces.ui.notify(f"heard {value}"))
        @pisces.command("say")
        def say(args): pisces.bus.emit("word", args)
        @pisces.tool()
        def notices(): return lambda: pisces_notices  # events freeze lists, and leave functions as they are
        """
    with scripted_session(module(tmp_path, body)) as session:
        old = session.tool("notices").details
        session.reload()
        assert old() == ["task ended"], "the one of the farewell never began"
        session.command("/say one")
        assert session.notices == [("info", "heard one")], "once, by the new one"
        assert len(session.runner._tasks.of(str(tmp_path / "mod.py"))) == 1
        session.host.ui.notices.clear()
        module(tmp_path, "pass")
        session.reload()
        assert not session.runner._tasks.of(str(tmp_path / "mod.py"))
        session.runner._wiring.bus.emit("word", "two")
        assert session.notices == []


@pytest.mark.parametrize("broken", ["raise ValueError('half way')", "(", "sys.exit(1)"])
def test_a_module_that_does_not_load_again_lives_on_as_it_was(tmp_path: Path, broken: str) -> None:
    path = module(tmp_path, FIRST)
    with scripted_session(path) as session:
        before = """
            pisces.bus.on("word", lambda value: pisces.ui.notify("from half a module"))
            pisces.on(Input)(lambda event: event.handle())
            """
        module(tmp_path, before + "            " + broken)
        (problem,) = session.reload()
        assert problem.about == path
        assert list(session.not_loaded) == [problem]
        event = session.emit(Input(""))
        assert (event.text, event.handled) == ("1", False)
        session.tool("api").details.bus.emit("word")
        assert [text for _, text in session.notices] == ["1 starts: startup"], "nobody was told to stop"
        module(tmp_path, SECOND)
        assert session.reload() == ()
        assert not session.not_loaded
        assert session.emit(Input("")).text == "2"


def test_a_reloaded_module_keeps_its_place_in_the_order(tmp_path: Path) -> None:
    body = "@pisces.on(Input)\ndef add(event): return event.replace(text=event.text + '{}')"
    paths = [module(tmp_path, body.format(name), name) for name in "abc"]
    with scripted_session(*paths) as session:
        session.reload(paths[0])
        assert session.emit(Input("")).text == "abc"


def test_only_known_modules_are_loaded_again(tmp_path: Path) -> None:
    async def ask() -> None:
        async with open_modules((), ScriptedHost(str(tmp_path)), print) as made:
            await made.reload(str(tmp_path / "other.py"))

    with pytest.raises(PiscesError) as caught:
        asyncio.run(ask())
    assert caught.value.diagnostic.code == "module-unknown"


def test_a_handler_may_have_its_own_module_loaded_again(tmp_path: Path) -> None:
    """As a `/reload` does: the handler that asks comes to its end, then the new one is in charge."""
    path = module(
        tmp_path,
        """
        @pisces.on(TurnStart)
        async def again(event):
            await pisces.host.control("reload", {})
            return event.replace(turn_index=event.turn_index + 1)
        """,
    )
    with scripted_session(path) as session:
        opened_modules = session._modules

        async def control(action: str, options: object) -> dict[str, bool]:
            await opened_modules.reload(path)
            return {"cancelled": False}

        session.host.control = control  # type: ignore[method-assign]
        assert session.emit(TurnStart(1)).turn_index == 2

"""What modules do behind everybody's back stays theirs: tasks, timers, questions; and two sessions in one process."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from pisces.modules.entries import named_entries
from pisces.modules.module_set import open_modules
from pisces.places import Places
from pisces.shapes.events import Input, ModuleFailed, TurnStart
from pisces.testing import ScriptedHost, scripted_session
from tests.modules.python_module import module


@pytest.mark.parametrize(
    ("does", "told"),
    [
        ("sys.exit(3)", "called sys.exit(3)"),
        ("__import__('time').sleep(30)", "took longer than 0.2 s"),
        ("raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_a_task_neither_ends_nor_blocks_the_session(tmp_path: Path, does: str, told: str) -> None:
    path = module(
        tmp_path,
        f"""
        async def work():
            {does}
        @pisces.on(TurnStart)
        async def start(event):
            asyncio.create_task(work(), name="mine")
        """,
    )
    with scripted_session(path, seconds=0.2) as session:
        session.emit(TurnStart(0))
        session.until(lambda: session.errors)
        assert [(each.module, each.event, each.message) for each in session.errors] == [(path, "task", told)]
        assert session.emit(Input("x")).text == "x"


def test_a_task_looks_like_any_other_to_its_module(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        async def work():
            return asyncio.current_task().get_name()
        async def unlucky():
            raise AssertionError("never started")
        @pisces.tool()
        async def show():
            mine, unstarted = asyncio.create_task(work(), name="mine"), asyncio.create_task(unlucky())
            unstarted.cancel()
            async with asyncio.TaskGroup() as group:
                other = group.create_task(work(), name="other")
            await asyncio.gather(unstarted, return_exceptions=True)
            return [await mine, other.result(), "work()" in repr(mine), unstarted.cancelled()]
        """,
    )
    with scripted_session(path) as session:
        assert session.tool("show").details == ["mine", "other", True, True]


def test_a_task_may_ask_the_user_when_the_turn_that_started_it_is_over(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        async def ask():
            await asyncio.sleep(0.01)
            pisces.ui.notify(await pisces.ui.input("name?"))
        @pisces.on(TurnStart)
        async def start(event):
            asyncio.create_task(ask())
            await asyncio.sleep(0)
        """,
    )
    with scripted_session(path, answers=["Ada"]) as session:
        session.emit(TurnStart(0))
        session.until(lambda: session.notices)
        assert session.notices == [("info", "Ada")]


def test_a_tool_that_breaks_is_heard_by_those_who_listen_to_failures(tmp_path: Path) -> None:
    broken = module(tmp_path, "@pisces.tool()\ndef broken():\n    return 1 / 0", "broken")
    listens = module(
        tmp_path, "@pisces.on(ModuleFailed)\ndef hears(event):\n    pisces.ui.notify(event.event)", "listens"
    )
    with scripted_session(broken, listens) as session:
        assert session.tool("broken").is_error
        session.until(lambda: session.notices)
        assert session.notices == [("info", "tool broken")]
        assert [each.event for each in session.errors] == ["tool broken"]


def test_messages_that_answer_each_other_for_ever_are_told_once(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        for _ in range(2):
            pisces.bus.on("ping", lambda value: pisces.bus.emit("pong"))
            pisces.bus.on("pong", lambda value: pisces.bus.emit("ping"))
        @pisces.on(TurnStart)
        def start(event):
            pisces.bus.emit("ping")
        """,
    )
    with scripted_session(path, seconds=5) as session:
        session.emit(TurnStart(0))
        assert {each.message.partition(":")[0] for each in session.errors} == {"RecursionError"}
        assert len(session.errors) <= 2  # for each listener to the first message


LIVELY = """
async def work():
    await asyncio.sleep(30)
@pisces.on(TurnStart)
async def start(event):
    print(pisces.cwd)
    asyncio.create_task(work())
"""


def test_two_sessions_in_one_process_do_not_mix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever closes first, what the other one's modules do is still the other one's."""
    entries = named_entries(Places(str(tmp_path), str(tmp_path)), [module(tmp_path, LIVELY)]).entries
    first: list[ModuleFailed] = []
    second: list[ModuleFailed] = []

    async def both() -> None:
        loop, out = asyncio.get_running_loop(), sys.stdout
        async with AsyncExitStack() as later:
            async with AsyncExitStack() as sooner:
                one = await sooner.enter_async_context(open_modules(entries, ScriptedHost("/one"), first.append))
                two = await later.enter_async_context(open_modules(entries, ScriptedHost("/two"), second.append))
                await one.runner.emit(TurnStart(0))
                await two.runner.emit(TurnStart(0))
            assert [each.message.partition(" ")[0] for each in first] == ["prints", "1"]
            assert [each.event for each in second] == ["print"]
            await two.runner.emit(TurnStart(1))
        assert (loop.get_task_factory(), loop.get_exception_handler(), sys.stdout) == (None, None, out)

    asyncio.run(both())
    assert [each.message.partition(" ")[0] for each in second] == ["prints", "2"]
    assert capsys.readouterr().out == ""


def test_whoever_fails_at_hearing_of_failures_leaves_nothing_behind(tmp_path: Path) -> None:
    body = "@pisces.on(SessionShutdown)\ndef breaks(event):\n    raise ValueError"
    entries = named_entries(Places(str(tmp_path), str(tmp_path)), [module(tmp_path, LIVELY + body)]).entries

    def report(failed: ModuleFailed) -> None:
        if failed.event == "SessionShutdown":
            raise LookupError("a bug of whoever embeds us")

    async def session() -> None:
        loop, out = asyncio.get_running_loop(), sys.stdout
        with pytest.raises(LookupError):
            async with open_modules(entries, ScriptedHost(str(tmp_path)), report) as made:
                await made.runner.emit(TurnStart(0))
        assert (loop.get_task_factory(), loop.get_exception_handler(), sys.stdout) == (None, None, out)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(session())
    assert not [thread for thread in threading.enumerate() if thread.name == "pisces-watch"]
    assert not [name for name in sys.modules if name.startswith("pisces_module_")]

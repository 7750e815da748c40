"""Modules of public npm packages, unmodified, do their job through our runner. Skipped where they are not installed:
`scripts/soak` does that.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pisces.shapes.events import BeforeAgentStart, ToolCall
from pisces.testing.session import AsyncSession
from tests.modules.caged import PEERS, Cage, cage, played

T = TypeVar("T")
ENTER, ESCAPE, DOWN = "\r", "\x1b", "\x1b[B"


@pytest.fixture
def made() -> Iterator[Cage]:
    with cage() as each:
        yield each


def package(name: str) -> Path:
    folder = PEERS / "real" / "node_modules" / name
    if not folder.is_dir():
        pytest.skip(f"{name} is not installed: scripts/soak does that")
    return folder


def run(made: Cage, name: str, play: Callable[[AsyncSession], Awaitable[T]], **options: Any) -> T:
    return played(made, [package(name)], play, **options)


def call(tool: str, **arguments: Any) -> ToolCall:
    return ToolCall(tool, "call-1", arguments)


def test_pi_aliases_are_commands_of_the_host(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[str]:
        await session.command("/clear")
        await session.command("/exit")
        return [action for action, _ in session.controls]

    assert run(made, "pi-aliases", play) == ["new_session", "shutdown"]


def test_pi_restrict_bash_refuses_with_a_reason(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        refused = await session.emit(call("bash", command="sudo ls"))
        assert refused.reason == "The `sudo` command is blocked in the `bash` tool."
        assert (await session.emit(call("grep", pattern="x"))).blocked
        assert not (await session.emit(call("bash", command="git status"))).blocked

    run(made, "pi-restrict-bash", play)


@pytest.mark.parametrize("is_allowed", [False, True])
def test_hyperprior_safety_asks_the_user(made: Cage, is_allowed: bool) -> None:
    async def play(session: AsyncSession) -> bool:
        return (await session.emit(call("write", path=".env", content="x"))).blocked

    assert run(made, "@hyperprior/pi-safety", play, answers=[is_allowed]) is not is_allowed


def test_hyperprior_todo_keeps_its_list_in_the_transcript(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.tool("hyperpi_todo", action="add", text="measure")
        assert session.entries[-1]["type"] == "custom"
        return (await session.tool("hyperpi_todo", action="list")).text

    assert "measure" in run(made, "@hyperprior/pi-todo", play)


def test_hyperprior_ask_collects_answers(made: Cage) -> None:
    options = [{"value": "s", "label": "Small"}, {"value": "l", "label": "Large"}]

    async def play(session: AsyncSession) -> Any:
        return (
            await session.tool("hyperpi_ask", questions=[{"id": "size", "prompt": "Size?", "options": options}])
        ).details

    details = run(made, "@hyperprior/pi-ask", play, answers=["Large"])
    assert details["answers"] == [{"id": "size", "value": "l", "label": "Large", "custom": False}]


def test_unified_exec_runs_commands_that_go_on(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        ended = await session.tool("exec_command", cmd="echo hi; pwd", yield_time_ms=5000)
        assert "exit_code: 0" in ended.text
        assert f"hi\n{made.work}" in ended.text
        running = await session.tool("exec_command", cmd="cat", yield_time_ms=250)
        found = re.search(r"session_id: (\d+)", running.text)
        assert found
        number = int(found[1])
        assert "over here" in (await session.tool("write_stdin", session_id=number, chars="over here\n")).text
        await session.tool("kill_session", session_id=number)
        assert "(1)" not in (await session.tool("list_sessions")).text

    run(made, "pi-unified-exec", play)


def test_aliou_processes_starts_and_lists(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        started = await session.tool("process", action="start", name="server", command="sleep 60")
        assert started.text.startswith("Started process server")
        return (await session.tool("process", action="list")).text

    assert "\trunning\tserver\tsleep 60" in run(made, "@aliou/pi-processes", play)


def test_memory_blocks_are_written_and_told_to_the_model(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.tool("updateMemory", blockKey="user", newText="likes tea")
        return (await session.emit(BeforeAgentStart("x", system_prompt="S"))).system_prompt

    assert "<value>likes tea</value>" in run(made, "@gordonb/pi-memory-blocks", play)
    assert "likes tea" in (made.work / ".pi" / "memory-blocks" / "user.md").read_text("utf-8")


def test_pomodoro_runs_and_is_paused(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        assert (await session.tool("pomodoro_start")).text == "Pomodoro started: 25:00"
        assert (await session.tool("pomodoro_status")).text.startswith("Running: ")
        assert (await session.tool("pomodoro_stop")).text.startswith("Pomodoro paused at ")
        assert "(paused)" in session.statuses["pomodoro-timer"]

    run(made, "pi-pomodoro", play)


def test_bash_confirm_draws_its_question_and_blocks_without_an_answer(made: Cage) -> None:
    async def play(session: AsyncSession) -> ToolCall:
        blocked = await session.emit(call("bash", command="rm -rf /x"))
        assert "rm -rf /x" in "\n".join(session.drawn[0])
        return blocked

    assert run(made, "pi-bash-confirm", play, answers=[[ESCAPE]]).blocked


def test_plan_mode_of_npm_writes_only_its_plan(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        await session.command("/plan add tests")
        assert "planning" in session.statuses["plan-mode"]
        assert (await session.emit(call("write", path="/etc/passwd", content=""))).reason.startswith(
            "Plan mode active."
        )
        assert session.sent[-1]["customType"] == "plan-mode-active"

    run(made, "pi-plan-mode", play)


def test_simplify_speaks_for_the_user(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.command("/simplify src")
        return str(session.typed[0])

    assert "simplification" in run(made, "pi-simplify", play)


def test_tasty_pi_builds_on_the_built_in_tools(made: Cage) -> None:
    made.write({"a.txt": "one\ntwo\n"})

    async def play(session: AsyncSession) -> None:
        assert (await session.tool("read", path="a.txt")).text == "one\ntwo\n"
        assert (await session.tool("bash", command="echo hey")).text.strip() == "hey"
        assert not (await session.tool("edit", path="a.txt", edits=[{"oldText": "two", "newText": "2"}])).is_error
        assert (await session.tool("grep", pattern="one")).text.strip() == "a.txt:1: one"
        assert not (await session.tool("write", path="b/c.txt", content="x")).is_error
        assert (await session.tool("find", pattern="**/*.txt")).text.split() == ["a.txt", "b/c.txt"]

    run(made, "tasty-pi", play)
    assert (made.work / "a.txt").read_text("utf-8") == "one\n2\n"


def test_vitals_draw_a_footer(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        return "\n".join(session.widgets["footer"])

    footer = run(made, "pi-vitals", play)
    assert "Scripted" in footer
    assert "work" in footer


def test_image_gen_lets_choose_a_model_by_keys_of_an_older_pi(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[tuple[str, str]]:
        await session.command("/image-model")
        assert "Select image model" in "\n".join(session.drawn[0])
        return session.notices

    notices = run(made, "@ssweens/pi-image-gen", play, answers=[[DOWN, ENTER]])
    assert notices == [("info", "Image model: Imagen 3.0 (google/imagen-3.0-generate-002)")]


def test_a_module_in_commonjs_tracks_what_the_agent_runs(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.command("/bg")
        assert session.notices[-1] == ("info", "Agent is idle\nNo running commands or background sessions")
        await session.emit(call("bash", command="make all"))
        await session.command("/bg")
        return session.notices[-1][1]

    assert "▶ make all" in run(made, "@nandithebull/pi-background", play)

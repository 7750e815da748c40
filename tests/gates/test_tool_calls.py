"""A tool call walks one list of gates: handlers of modules, rules, and the user, and none of them is bypassed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.gates.judge import Gate
from pisces.gates.tool_calls import ToolGates, allows_tools
from pisces.modules.entry import CLI, ModuleEntry
from pisces.modules.headless import Headless, open_headless
from pisces.modules.loaded_module import LoadedModule
from pisces.shapes.events import ModuleFailed, ToolCall, ToolResult
from pisces.shapes.listener import Listener
from pisces.shapes.request import ToolRequest
from pisces.shapes.verdict import ALLOW, ASK, DENY, Judged, Verdict
from tests.modules.python_module import module

if TYPE_CHECKING:
    from pisces.gates.judge import Confirm

TOOL = """
@pisces.tool()
def shell(command: str, args: list = ()):
    args.append("changed by the tool")
    return f"ran {command}"
"""
GUARD = """
@pisces.on(ToolCall)
def guard(event):
    if "rm" in event.input["command"]:
        return event.block("no rm")
"""
ALLOWED = allows_tools("test", "the test calls it")


def called(
    folder: Path, bodies: Iterable[str], *gates: Gate, confirm: Confirm | None = None, **arguments: Any
) -> tuple[ToolResult, Judged]:
    """The result of `shell`, and how it was judged, with a module for each body."""
    paths = [module(folder, body, f"m{number}") for number, body in enumerate([TOOL, *bodies])]
    entries = [ModuleEntry(path, Path(path).stem, "python", CLI, "user") for path in paths]
    records: list[Judged] = []

    async def play() -> ToolResult:
        async with open_headless(entries, Headless(str(folder)), lambda _failed: None) as modules:
            assert not modules.errors
            judge = ToolGates(modules.runner, gates, confirm, records.append)
            return await modules.call_tool("shell", {"command": "ls", "args": ["-l"], **arguments}, judge)

    result = asyncio.run(play())
    (record,) = records
    return result, record


def test_a_tool_runs_if_no_handler_blocks_it_and_somebody_allows_it(tmp_path: Path) -> None:
    result, record = called(tmp_path, [GUARD], ALLOWED)
    assert (result.text, result.is_error) == ("ran ls", False)
    assert record.verdict == Verdict(ALLOW, "test", "the test calls it")


def test_a_tool_may_change_its_arguments_and_nobody_else_sees_that(tmp_path: Path) -> None:
    result, record = called(tmp_path, [], ALLOWED)
    assert isinstance(record.request, ToolRequest)
    assert result.input == record.request.call.input == {"command": "ls", "args": ["-l"]}


def test_a_handler_that_blocks_is_named_with_its_reason(tmp_path: Path) -> None:
    result, record = called(tmp_path, [GUARD], ALLOWED, command="rm -rf /")
    assert (result.text, result.is_error) == ("no rm", True)
    assert record.verdict == Verdict(DENY, str(tmp_path / "m1.py"), "no rm")


def test_nobody_who_allows_means_the_user_is_asked_and_without_one_it_is_denied(tmp_path: Path) -> None:
    result, record = called(tmp_path, [GUARD])
    assert (result.text, record.verdict.who) == ("nobody can be asked here", "nobody")


def test_a_handler_cannot_allow_what_a_rule_denies(tmp_path: Path) -> None:
    says_nothing = "@pisces.on(ToolCall)\ndef fine(event): return event.replace(reason='fine by me')"
    rule = Gate("rule", lambda _request: Verdict(DENY, why="the user's rule"))
    result, record = called(tmp_path, [says_nothing], rule, ALLOWED)
    assert (result.text, record.verdict.who) == ("the user's rule", "rule")


def test_a_rewritten_input_is_judged_by_every_guard_whatever_the_order(tmp_path: Path) -> None:
    rewrites = "@pisces.on(ToolCall)\ndef change(event): return event.with_input(command='rm x')"
    for number, bodies in enumerate(([GUARD, rewrites], [rewrites, GUARD])):
        folder = tmp_path / str(number)
        folder.mkdir()
        result, record = called(folder, bodies, ALLOWED)
        assert (result.text, record.verdict.decision) == ("no rm", "deny")
        assert [change.who for change in record.changes] == [str(folder / f"m{2 - number}.py")]


def test_the_user_is_asked_about_the_input_that_runs(tmp_path: Path) -> None:
    adds = "@pisces.on(ToolCall)\ndef add(event): return event.with_input(command=event.input['command'] + ' -a')"
    asked: list[str] = []

    async def confirm(request: Any, questions: tuple[Verdict, ...]) -> Verdict:
        asked.append(f"{request.exact} because {questions[0].why}")
        return Verdict(ALLOW)

    rule = Gate("rule", lambda _request: Verdict(ASK, why="it lists"))
    result, record = called(tmp_path, [adds], rule, ALLOWED, confirm=confirm)
    assert asked == ['shell {"command": "ls -a", "args": ["-l"]} because it lists']
    assert (result.text, record.verdict.who) == ("ran ls -a", "user")


def test_two_modules_that_undo_each_other_block_the_call(tmp_path: Path) -> None:
    bodies = [f"@pisces.on(ToolCall)\ndef change(event): return event.with_input(command='{line}')" for line in "ab"]
    result, record = called(tmp_path, bodies, ALLOWED)
    assert result.is_error
    assert record.verdict.who == f"{tmp_path / 'm1.py'}, {tmp_path / 'm2.py'}"
    assert "changed again and again" in result.text


def test_a_handler_that_fails_denies(tmp_path: Path) -> None:
    for number, body in enumerate(("event.input.clear()", "event.input['args'].append(1)", "1 / 0", "sys.exit()")):
        folder = tmp_path / str(number)
        folder.mkdir()
        result, record = called(folder, [f"@pisces.on(ToolCall)\ndef guard(event): {body}"], ALLOWED)
        assert result.is_error
        assert record.verdict.who == str(folder / "m1.py")
        assert record.verdict.why.startswith(f"Extension {folder / 'm1.py'} failed: ")


def test_a_handler_may_have_a_time_limit_of_its_own(tmp_path: Path) -> None:
    slow = "@pisces.on(ToolCall, seconds=0.1)\nasync def guard(event): await asyncio.sleep(30)"
    result, _ = called(tmp_path, [slow], ALLOWED)
    assert result.text == f"Extension {tmp_path / 'm1.py'} failed: took longer than 0.1 s"


def test_handlers_that_are_registered_later_are_asked_too(tmp_path: Path) -> None:
    later = """
    @pisces.on(ToolCall)
    def first(event):
        if event.input["command"] == "ls":
            pisces.on(ToolCall)(lambda event: event.block("from now on"))
    """
    path = module(tmp_path, TOOL + later.replace("\n    ", "\n"))

    async def play() -> list[str]:
        entry = ModuleEntry(path, "mod", "python", CLI, "user")
        async with open_headless([entry], Headless(str(tmp_path)), lambda _failed: None) as modules:
            judge = ToolGates(modules.runner, [ALLOWED])
            calls = [await judge(ToolCall("shell", "1", {"command": "ls"})) for _ in range(2)]
            return [call.reason for call in calls]

    assert asyncio.run(play()) == ["", "from now on"]


def test_calls_that_are_judged_at_once_end_nobody_elses_task(tmp_path: Path) -> None:
    """Each guard waits for the other call's, so that both walks are under way when one of them misbehaves."""
    waits = "both = asyncio.Barrier(2)\n@pisces.on(ToolCall)\nasync def wait(event):\n    await both.wait()"
    cancels = """
    @pisces.on(ToolCall)
    def cancel(event):
        if event.input["command"] == "bad":
            asyncio.current_task().cancel()
    """
    paths = [module(tmp_path, body, f"m{number}") for number, body in enumerate([waits, cancels])]
    entries = [ModuleEntry(path, Path(path).stem, "python", CLI, "user") for path in paths]

    async def play() -> list[str]:
        async with open_headless(entries, Headless(str(tmp_path)), lambda _failed: None) as modules:
            judge = ToolGates(modules.runner, [ALLOWED])
            asked = [judge(ToolCall("shell", each, {"command": each})) for each in ("good", "bad")]
            return [call.reason for call in await asyncio.gather(*asked)]

    failed = f"Extension {paths[1]} failed: cancelled the task that runs it"
    assert asyncio.run(play()) == ["", failed]


def test_a_call_that_is_denied_inside_a_guard_is_no_block_of_that_guard(tmp_path: Path) -> None:
    async def play() -> tuple[ToolCall, list[ModuleFailed]]:
        failures: list[ModuleFailed] = []
        async with open_headless((), Headless(str(tmp_path)), failures.append) as modules:
            denies = ToolGates(modules.runner, [Gate("rule", lambda _request: Verdict(DENY, why="no"))])

            async def tries_another(event: ToolCall) -> None:
                other = ToolCall("shell", "2", {"command": "inner"})
                assert event.input["command"] == "inner" or (await denies(other)).reason == "no"

            guard = LoadedModule("guard.py", "guard", 0)
            guard.handlers.append(Listener(ToolCall, tries_another, "guard.py"))
            modules.runner.add([guard])
            return await ToolGates(modules.runner, [ALLOWED])(ToolCall("shell", "1", {"command": "ls"})), failures

    after, failures = asyncio.run(play())
    assert (after.reason, failures) == ("", [])

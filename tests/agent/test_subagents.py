"""A subagent works with a conversation, tools and limits of its own, past the same gates as its parent."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pisces.agent.loop import LoopLimits
from pisces.agent.subagent_clock import SubagentClock
from pisces.agent.transcript import read_transcript
from pisces.models.model import ModelFacts, Prices
from pisces.models.scripted import ScriptedModel
from pisces.models.wire import ModelFailed
from pisces.session.session import Session
from pisces.shapes.events.subagents import SubagentStart, SubagentStop
from pisces.shapes.events.surroundings import Notification
from pisces.shapes.events.tools import ToolExecutionEnd, ToolExecutionUpdate, ToolResult
from pisces.shapes.message import CallPart
from tests.agent.world import AgentWorld, agent_call, read


def test_it_works_in_a_conversation_of_its_own_and_reports(tmp_path: Path) -> None:
    scripts = {
        "main": [(agent_call("looker", "what is in a.txt?"),), "It says hello."],
        "looker": [read("a.txt"), "hello"],
    }
    world = AgentWorld(tmp_path, scripts)
    world.agent("looker")
    (world.work / "a.txt").write_text("hello\n", encoding="utf-8")
    assert world.submitted("ask the looker") == "It says hello."
    first = world.asked["looker"][0]
    assert [each.text for each in first.messages] == ["what is in a.txt?"]
    assert first.system.startswith("looker\n")
    assert "hello" in world.report
    assert "ask the looker" not in str(world.asked["looker"])


def test_the_tool_is_offered_with_the_names_that_there_are_and_without_any_not_at_all(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": []})
    world.submitted()
    assert "agent" not in [each.name for each in world.asked["main"][0].tools]
    world.agent("looker")
    world.submitted()
    tool = next(each for each in world.asked["main"][1].tools if each.name == "agent")
    assert tool.parameters["properties"]["name"]["enum"] == ["looker"]


def test_more_than_fifty_names_are_left_to_the_index(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": []})
    for number in range(51):
        world.agent(f"a{number}")
    world.submitted()
    tool = next(each for each in world.asked["main"][0].tools if each.name == "agent")
    assert "enum" not in tool.parameters["properties"]["name"]


def test_a_name_that_nobody_has_is_said_with_those_that_there_are(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("loker"),), "fine"]})
    world.agent("looker")
    world.submitted()
    assert "there is no subagent `loker`. There are: looker" in world.report


def test_it_gets_only_the_tools_that_its_file_names(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": ["done"]})
    world.agent("looker", tools="Read, Grep, NoSuchTool")
    world.submitted()
    names = [each.name for each in world.asked["looker"][0].tools]
    assert "read" in names
    assert not {"agent", "write", "edit", "shell"} & set(names)
    assert any("NoSuchTool" in each.message for each in world.of(Notification))


@pytest.mark.parametrize("tools", ["'*'", "Read, Task, Agent"])
def test_no_subagent_starts_another_one(tmp_path: Path, tools: str) -> None:
    turns = [(agent_call("looker", call_id="inner"),), "gave up"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker", tools=tools)
    world.submitted()
    assert "agent" not in [each.name for each in world.asked["looker"][0].tools]
    assert "there is no tool `agent` here" in str(world.asked["looker"][1].messages[-1])
    assert len(world.of(SubagentStart)) == 1


def test_a_tool_that_its_file_disallows_is_not_offered(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [read("a.txt"), "done"]})
    world.agent("looker", disallowedTools="Read")
    (world.work / "a.txt").write_text("secret\n", encoding="utf-8")
    world.submitted()
    assert "read" not in [each.name for each in world.asked["looker"][0].tools]
    assert "there is no tool `read` here" in str(world.asked["looker"][1].messages[-1])


def test_brackets_narrow_the_calls_of_a_tool(tmp_path: Path) -> None:
    turns = [read("src/a.txt"), read("b.txt"), "done"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker", tools="Read(src/**)")
    (world.work / "src").mkdir()
    (world.work / "src" / "a.txt").write_text("inside\n", encoding="utf-8")
    (world.work / "b.txt").write_text("outside\n", encoding="utf-8")
    world.submitted()
    assert "inside" in str(world.asked["looker"][1].messages[-1])
    denied = str(world.asked["looker"][2].messages[-1])
    assert "its file allows only" in denied
    assert "outside" not in denied


def test_brackets_of_a_refusal_narrow_too(tmp_path: Path) -> None:
    turns = [read("src/a.txt"), read("b.txt"), "done"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker", disallowedTools="Read(src/**)")
    (world.work / "src").mkdir()
    (world.work / "src" / "a.txt").write_text("inside\n", encoding="utf-8")
    (world.work / "b.txt").write_text("outside\n", encoding="utf-8")
    world.submitted()
    assert "its file forbids" in str(world.asked["looker"][1].messages[-1])
    assert "outside" in str(world.asked["looker"][2].messages[-1])


def test_several_work_at_once(tmp_path: Path) -> None:
    calls = (agent_call("one", call_id="1"), agent_call("two", call_id="2"))
    inside: list[str] = []

    def started(name: str) -> Any:
        def answer(_ask: Any) -> Any:
            inside.append(name)
            return read("a.txt")

        return answer

    def both_are_there(_ask: Any) -> str:
        return f"{sorted(set(inside))}"

    scripts = {
        "main": [calls, "fine"],
        "one": [started("one"), both_are_there],
        "two": [started("two"), both_are_there],
    }
    world = AgentWorld(tmp_path, scripts)
    world.agent("one")
    world.agent("two")
    world.submitted()
    assert world.report.count("['one', 'two']") == 2


def test_it_reports_what_it_has_when_its_turns_are_used_up(tmp_path: Path) -> None:
    turns = [read("a.txt", "1"), read("b.txt", "2"), "all that I found"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker", maxTurns="2")
    world.submitted()
    assert "ended before it was done: it had 2 turns" in world.report
    assert "all that I found" in world.report
    assert "You have no turns left" in world.asked["looker"][2].messages[-1].text


def test_a_call_after_the_last_turn_is_not_run(tmp_path: Path) -> None:
    turns = [read("a.txt", "1"), read("a.txt", "2"), "never asked"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker", maxTurns="1")
    world.submitted()
    assert len(world.asked["looker"]) == 2
    assert "ended without a report" in world.report
    assert "read (1)" in world.report


def test_it_reports_what_it_has_when_its_time_is_up(tmp_path: Path) -> None:
    hang = ("I have begun", CallPart("h", "read", {"path": "a.txt"}))
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [hang]})
    world.agent("looker", timeout_mins="0.05")
    world.options["modules"] = [module_in(tmp_path, HANGING)]
    world.submitted()
    assert "ended before it was done: its time was up" in world.report
    assert "I have begun" in world.report


HANGING = """
import asyncio
from pisces.events import ToolCall

def extension(api):
    @api.on(ToolCall)
    async def hang(event):
        if event.tool == "read":
            await asyncio.sleep(20)
"""


def module_in(folder: Path, text: str) -> str:
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_time_of_a_question_is_the_users() -> None:
    async def work() -> str:
        clock = SubagentClock(2.0)
        async with clock.running():
            with clock.stopped(), clock.stopped():
                await asyncio.sleep(2.5)
            return "in time"

    assert asyncio.run(work()) == "in time"


def test_after_a_question_its_time_runs_again() -> None:
    async def work() -> None:
        clock = SubagentClock(0.1)
        async with clock.running():
            with clock.stopped():
                await asyncio.sleep(0.2)
            await asyncio.sleep(20)

    with pytest.raises(TimeoutError):
        asyncio.run(work())


def test_the_user_sees_which_subagent_asks(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("asked about\n", encoding="utf-8")
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [read(str(outside)), "done"]})
    world.agent("looker")
    world.submitted()
    assert [each.agent for each in world.questions] == ["looker"]
    assert "asked about" in str(world.asked["looker"][1].messages[-1])


def test_a_model_that_fails_is_the_report(tmp_path: Path) -> None:
    failed = ModelFailed("no more money", 402)
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [failed]})
    world.agent("looker")
    assert world.submitted() == "fine"
    assert "the model failed: no more money" in world.report
    assert "is_error=True" in world.report


def test_what_it_said_before_the_model_failed_is_not_lost(tmp_path: Path) -> None:
    turns = [("found one", *read("a.txt")), ModelFailed("down", 400)]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker")
    world.submitted()
    assert "found one" in world.report
    assert "is_error=False" in world.report


def test_cancelling_ends_it_and_both_conversations_are_whole(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "later"], "looker": [read("a.txt")]})
    world.agent("looker")
    world.options["modules"] = [module_in(tmp_path, HANGING)]

    async def work(session: Session) -> tuple[str, Any]:
        task = asyncio.ensure_future(session.submit("go"))
        while "looker" not in world.asked:
            await asyncio.sleep(0.01)
        session.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        end = (await session.submit("and now?")).end
        assert end is not None
        return end.text, session.transcript.messages

    text, messages = world.during(work)
    assert text == "later"
    assert [len(each.calls) for each in messages][:3] == [0, 1, 0]
    assert not world.of(SubagentStop)
    inner = read_transcript(str(next(world.home.rglob("agents/*.jsonl"))))
    assert len(inner.messages) == 3


def test_hooks_and_readers_hear_of_its_start_and_of_its_end(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker", "look"),), "fine"], "looker": ["seen"]})
    world.agent("looker")
    world.submitted()
    start, stop = world.of(SubagentStart)[0], world.of(SubagentStop)[0]
    assert (start.agent, start.prompt) == ("looker", "look")
    assert (stop.agent_id, stop.last_message) == (start.agent_id, "seen")
    assert Path(stop.transcript).exists()


GO_ON = """
from pisces.events import SubagentStop

def extension(api):
    @api.on(SubagentStop)
    def stop(event):
        return event.block("look again")
"""


def test_who_blocks_its_end_makes_it_go_on_a_bounded_number_of_times(tmp_path: Path) -> None:
    turns = ["one", "two", "three", "four", "five"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": turns})
    world.agent("looker")
    world.options["modules"] = [module_in(tmp_path, GO_ON)]
    world.submitted()
    assert "four" in world.report
    assert len(world.asked["looker"]) == 4
    assert world.asked["looker"][1].messages[-1].text == "look again"


def test_hooks_rules_and_the_log_see_who_calls(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [read("a.txt"), "done"]})
    world.agent("looker")
    (world.work / "a.txt").write_text("hello\n", encoding="utf-8")

    async def work(session: Session) -> list[Any]:
        await session.submit("go")
        return list(session.host.audit.records())

    records = [each for each in world.during(work) if each.text("kind") == "tool"]
    by = [(each.what, each.text("name"), each.text("agent")) for each in records]
    assert ("judged", "read", "looker") in by
    assert ("ran", "read", "looker") in by
    assert ("judged", "agent", "") in by


HOOK = """
import json, sys
given = json.load(sys.stdin)
sys.stderr.write(f"{given.get('agent_type')} may not")
sys.exit(2)
"""


def with_hook(world: AgentWorld, name: str) -> None:
    """An agent of the user whose header has a hook that denies to read."""
    script = world.home / "hook.py"
    script.write_text(HOOK, encoding="utf-8")
    hook = {"type": "command", "command": f"python3 {script}"}
    hooks = {"PreToolUse": [{"matcher": "Read", "hooks": [hook]}]}
    world.agent(name, hooks=json.dumps(hooks))


def test_hooks_in_its_header_fire_inside_it_and_nowhere_else(tmp_path: Path) -> None:
    main = [(agent_call("guarded"),), read("a.txt"), "fine"]
    world = AgentWorld(tmp_path, {"main": main, "guarded": [read("a.txt"), "done"]})
    with_hook(world, "guarded")
    (world.work / "a.txt").write_text("hello\n", encoding="utf-8")
    world.submitted()
    assert "guarded may not" in str(world.asked["guarded"][1].messages[-1])
    assert "hello" in str(world.asked["main"][2].messages[-1])


def test_a_subagent_that_may_only_plan_changes_nothing_whatever_the_mode_is(tmp_path: Path) -> None:
    turns = [(CallPart("w", "change", {"path": "a.txt"}),), "done"]
    world = AgentWorld(tmp_path, {"main": [(agent_call("planner"),), "fine"], "planner": turns})
    world.agent("planner", permissionMode="plan")
    world.options |= {"mode": "all", "modules": [module_in(tmp_path, CHANGES)]}
    world.submitted()
    assert "it may only read" in str(world.asked["planner"][1].messages[-1])
    assert not (world.work / "changed").exists()


CHANGES = """
def extension(api):
    @api.tool(description="changes a file")
    def change(path: str):
        open("changed", "w").close()
        return "changed"
"""


def test_a_subagent_that_never_asks_is_denied_instead(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret\n", encoding="utf-8")
    world = AgentWorld(tmp_path, {"main": [(agent_call("quiet"),), "fine"], "quiet": [read(str(outside)), "done"]})
    world.agent("quiet", permissionMode="dontAsk")
    world.submitted()
    assert "it never asks" in str(world.asked["quiet"][1].messages[-1])
    assert world.questions == []


def test_a_wider_mode_than_the_users_is_said_and_not_given(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("secret\n", encoding="utf-8")
    world = AgentWorld(tmp_path, {"main": [(agent_call("bold"),), "fine"], "bold": [read(str(outside)), "done"]})
    world.agent("bold", permissionMode="bypassPermissions")
    world.answer = False
    world.submitted()
    assert "secret" not in str(world.asked["bold"][1].messages[-1])
    said = [each.kind for each in world.of(Notification) if "bypassPermissions" in each.message]
    assert said == ["subagent-wish"]


def test_what_a_file_asks_for_in_vain_is_said(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": ["done"]})
    world.agent("looker", isolation="worktree", memory="user")
    world.submitted()
    said = " ".join(each.message for each in world.of(Notification) if each.kind == "subagent-wish")
    assert "`isolation: worktree` means nothing here" in said
    assert "`memory: user` means nothing here" in said


def test_what_one_of_them_has_read_the_other_has_not(tmp_path: Path) -> None:
    def write(call_id: str) -> tuple[CallPart]:
        return (CallPart(call_id, "write", {"path": "a.txt", "content": call_id}),)

    main = [read("a.txt"), (agent_call("changer"),), write("of main"), "fine"]
    changer = [write("too early"), read("b.txt"), "done"]
    world = AgentWorld(tmp_path, {"main": main, "changer": changer})
    world.agent("changer")
    for name in ("a.txt", "b.txt"):
        (world.work / name).write_text("text\n", encoding="utf-8")
    world.options["mode"] = "all"
    world.submitted()
    assert "is_error=True" in str(world.asked["changer"][1].messages[-1])
    assert (world.work / "a.txt").read_text(encoding="utf-8") == "of main"


def test_a_model_that_cannot_be_had_is_said_and_the_parents_is_used(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": ["done"]})
    world.agent("looker", model="nobody/nothing")
    world.submitted()
    assert "done" in world.report
    assert any("its model `nobody/nothing` cannot be used" in each.message for each in world.of(Notification))


def test_another_model_answers_where_it_can_be_had_and_is_closed(tmp_path: Path) -> None:
    closed: list[str] = []

    class Other(ScriptedModel):
        async def close(self) -> None:
            closed.append("closed")

    other = Other(["from the other"], facts=ModelFacts("other", "scripted"))
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"]})
    world.agent("looker", model="other")

    async def work(session: Session) -> None:
        scene = session.delegation.subagents._scene.replace(chosen=lambda _wanted: other)
        session.delegation.subagents._scene = scene
        await session.submit("go")

    world.during(work)
    assert "from the other" in world.report
    assert closed == ["closed"]


def test_a_project_does_not_choose_the_provider(tmp_path: Path) -> None:
    other = ScriptedModel(["from elsewhere"], facts=ModelFacts("other", "elsewhere"))
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": ["from here"]})
    world.agent_at(world.work / ".claude" / "agents" / "looker.md", "looker", "looker", {"model": "other"})
    world.options["trust_workspace"] = True

    async def work(session: Session) -> None:
        session.delegation.subagents._scene = session.delegation.subagents._scene.replace(chosen=lambda _wanted: other)
        await session.submit("go")

    world.during(work)
    assert "from here" in world.report
    assert any("a project does not choose the provider" in each.message for each in world.of(Notification))


def test_nothing_of_a_project_that_is_not_trusted_is_offered(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("theirs"),), "fine"]})
    world.agent_at(world.work / ".claude" / "agents" / "theirs.md", "theirs", "theirs", {})
    world.submitted()
    assert "agent" not in [each.name for each in world.asked["main"][0].tools]
    assert "there is no subagent `theirs`" in world.report


def test_it_reads_the_context_files_that_its_parent_reads(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": ["done"]})
    world.agent("looker")
    (world.home / ".claude" / "CLAUDE.md").write_text("Write British English.\n", encoding="utf-8")
    world.submitted()
    system = world.asked["looker"][0].system
    assert "Write British English." in system
    assert f"Workspace: {world.work}" in system
    assert "Subagents:" not in system


def test_skills_that_its_file_names_are_there_from_the_start(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": ["done"]})
    world.agent("looker", skills="[counting, missing]", tools="Read")
    skill = world.home / ".claude" / "skills" / "counting" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: counting\ndescription: counts\n---\nCount to three.\n", encoding="utf-8")
    world.submitted()
    assert "Count to three." in world.asked["looker"][0].system
    assert any("its skill `missing` is not there" in each.message for each in world.of(Notification))


def test_what_it_does_is_shown_and_counted(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [read("a.txt"), "seen"]})
    world.agent("looker")
    (world.work / "a.txt").write_text("hello\n", encoding="utf-8")

    async def work(session: Session) -> int:
        await session.submit("go")
        return session.usage.output

    assert world.during(work) > 0
    shown = [each.partial_result for each in world.of(ToolExecutionUpdate) if each.tool == "agent"]
    assert [each["content"][0]["text"] for each in shown] == ["read a.txt", "seen"]
    result = next(each for each in world.of(ToolResult) if each.tool == "agent")
    details = result.details
    assert (details["agent"], details["ended"], details["turns"]) == ("looker", "done", 2)
    assert details["tools"] == {"read": 1}
    assert details["usage"]["output"] > 0
    assert Path(details["transcript"]).exists()
    inner = next(each for each in world.of(ToolExecutionEnd) if each.tool == "read")
    assert inner.call_id == "call-1/r"


def test_a_limit_of_the_cost_holds_for_an_agent_with_its_subagents(tmp_path: Path) -> None:
    def spend(_ask: Any) -> Any:
        return "x" * 400, *read("a.txt")

    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "never asked"], "looker": [spend] * 9})
    facts = ModelFacts("dear", "scripted", prices=Prices(0.0, 1_000.0))  # 100 tokens are ten cents
    world.model = ScriptedModel([world._answer] * 100, facts=facts)
    world.agent("looker")
    world.options["limits"] = LoopLimits(cost=0.25)

    async def work(session: Session) -> tuple[Any, Any]:
        end = (await session.submit("go")).end
        return end, session.cost

    end, cost = world.during(work)
    assert end.ended == "cost"
    assert 0.25 <= cost < 0.45
    assert len(world.asked["main"]) == 1
    assert len(world.asked["looker"]) == 3


def test_its_conversation_is_a_file_of_its_own_that_the_parents_names(tmp_path: Path) -> None:
    world = AgentWorld(tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [read("a.txt"), "seen"]})
    world.agent("looker")

    async def work(session: Session) -> tuple[Any, int]:
        await session.submit("go")
        return next(each for each in session.transcript.newest() if each.kind == "subagent"), len(
            session.transcript.messages
        )

    entry, count = world.during(work)
    assert entry.fields["agent"] == "looker"
    assert entry.fields["call"] == "call-1"
    assert count == 4
    inner = read_transcript(str(next(world.home.rglob(f"agents/*{entry.fields['file']}"))))
    assert [each.text for each in inner.messages][-1] == "seen"


def test_a_subagent_that_fills_its_window_goes_on_with_notes(tmp_path: Path) -> None:
    long = [("x" * 8_000, *read("a.txt", str(number))) for number in range(6)]
    world = AgentWorld(
        tmp_path, {"main": [(agent_call("looker"),), "fine"], "looker": [*long, "done"], "notes": ["the notes"] * 9}
    )
    world.model = ScriptedModel([world._answer] * 100, facts=ModelFacts("small", "scripted", window=8_000))
    world.agent("looker")
    world.submitted()
    assert "done" in world.report
    assert "the notes" in str(world.asked["looker"][-1].messages[0])
    assert "look" in str(world.asked["looker"][-1].messages[0])

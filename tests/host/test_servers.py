"""MCP servers in a host: nothing is started unasked, their tools are called like others, and a bad one fails alone."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pisces import Host, PiscesError, Request, ToolCall, ToolRequest, Verdict
from tests.hook_cases.codex_reviews import reviews
from tests.host.leaks import nothing_left
from tests.host.world import Answers
from tests.mcp.wiring_world import ADD, SAY, ServerWorld


@pytest.fixture
def world(tmp_path: Path) -> ServerWorld:
    return ServerWorld(tmp_path.resolve())


@pytest.fixture
def own_temporary_files(world: ServerWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that those of other programs are not counted."""
    (world.home / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(world.home / "tmp"))


async def _connected(world: ServerWorld, *names: str) -> list[str]:
    async with Host.open(world.places, approve=Answers(False)) as host:
        await host.connect(*names)
        return sorted(host.tools)


def test_its_tools_are_offered_under_the_name_of_the_server_once_it_is_connected(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD, SAY)

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers(False)) as host:
            assert not host.tools
            assert await host.connect() == {"boat": "up"}
            assert sorted(host.tools) == ["boat__add", "boat__say"]
            assert host.tools["boat__add"].description == "Adds two numbers"
            assert host.servers["boat"].facts.name == "wiring"

    asyncio.run(opened())


def test_they_are_offered_from_memory_and_the_first_call_starts_the_server(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)
    asyncio.run(_connected(world))
    log = len(world.log_of("boat"))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            assert sorted(host.tools) == ["boat__add"]
            assert host.servers["boat"].state == "idle"
            assert len(world.log_of("boat")) == log
            result = await host.call("boat__add", {"a": 1})
            assert (result.text, result.is_error, result.server) == ('{"a": 1}', False, "boat")
            assert host.servers["boat"].state == "up"

    asyncio.run(opened())


def test_a_call_is_judged_with_its_server_and_annotations(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", {**ADD, "annotations": {"readOnlyHint": True}})
    asked: list[Request] = []

    def approve(request: Request, _questions: tuple[Verdict, ...]) -> bool:
        asked.append(request)
        return False

    async def opened() -> None:
        async with Host.open(world.places, approve=approve) as host:
            await host.connect()
            result = await host.call("boat__add", {})
            assert result.is_error

    asyncio.run(opened())
    request = asked[0]
    assert isinstance(request, ToolRequest)
    assert (request.call.tool, request.server) == ("boat__add", "boat")
    assert request.annotations == {"readOnlyHint": True}
    assert world.calls_of("boat") == []


@pytest.mark.parametrize("rule", ["mcp__boat__add", "mcp__boat", "mcp__boat__*"])
def test_a_rule_of_a_harness_names_it_in_that_harness_spelling(rule: str, world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD, SAY)
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"allow": [rule]}}))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers(False)) as host:
            await host.connect()
            assert not (await host.call("boat__add", {})).is_error

    asyncio.run(opened())


def test_a_deny_rule_takes_it_out_of_what_is_offered(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD, SAY)
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"deny": ["mcp__boat__add"]}}))
    assert asyncio.run(_connected(world)) == ["boat__say"]


@pytest.mark.parametrize(
    ("place", "event", "matcher"),
    [
        ("~/.claude/settings.json", "PreToolUse", "mcp__boat__add"),
        ("~/.claude/settings.json", "PreToolUse", "mcp__boat__.*"),
        ("~/.gemini/settings.json", "BeforeTool", "mcp_boat_add"),
        ("~/.codex/hooks.json", "PreToolUse", "mcp__boat__add"),
    ],
)
def test_a_hook_of_each_dialect_denies_it_by_its_own_name(
    place: str, event: str, matcher: str, world: ServerWorld
) -> None:
    world.configure("boat")
    world.say_of("boat", ADD, SAY)
    path = Path(world.places.absolute(place))
    before = json.loads(path.read_text("utf-8")) if path.exists() else {}
    hook = {"type": "command", "command": "echo 'not this one' >&2; exit 2"}
    world.write(place, json.dumps({**before, "hooks": {event: [{"matcher": matcher, "hooks": [hook]}]}}))
    world.write("~/.codex/config.toml", reviews(world.places))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            denied = await host.call("boat__add", {})
            assert denied.is_error
            assert "not this one" in denied.text

    asyncio.run(opened())
    assert world.calls_of("boat") == []


def test_a_hook_hears_of_the_result_with_the_server(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)
    heard = world.home / "heard.json"
    hook = {"type": "command", "command": f"cat > {heard}"}
    world.write("~/.claude/settings.json", json.dumps({"hooks": {"PostToolUse": [{"hooks": [hook]}]}}))

    async def opened() -> str:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            return (await host.call("boat__add", {})).tool

    assert asyncio.run(opened()) == "boat__add"
    payload = json.loads(heard.read_text("utf-8"))
    assert payload["tool_name"] == "mcp__boat__add"
    assert payload["mcp_server"]["name"] == "boat"


def test_what_the_entry_excludes_is_neither_offered_nor_called(world: ServerWorld) -> None:
    world.configure("boat", excludeTools=["say"])
    world.say_of("boat", ADD, SAY)

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            assert sorted(host.tools) == ["boat__add"]
            assert (await host.call("boat__say", {})).is_error
            with pytest.raises(Exception, match="say"):
                await host.servers["boat"].call("say", {})

    asyncio.run(opened())
    assert world.calls_of("boat") == []


def test_what_the_user_trusts_runs_unasked_unless_somebody_asks_or_denies(world: ServerWorld) -> None:
    world.configure("boat", trust=True)
    world.say_of("boat", ADD, SAY)
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"ask": ["mcp__boat__say"]}}))
    answers = Answers(False)

    async def opened() -> None:
        async with Host.open(world.places, approve=answers) as host:
            await host.connect()
            assert not (await host.call("boat__add", {})).is_error
            assert not answers.asked
            assert (await host.call("boat__say", {})).is_error
            host.mode = "plan"
            assert (await host.call("boat__add", {})).is_error

    asyncio.run(opened())


def test_one_server_cannot_take_the_name_of_anothers_tool(world: ServerWorld) -> None:
    world.configure("a", "a__b")
    world.say_of("a", {**ADD, "name": "b__x", "description": "of a"})
    world.say_of("a__b", {**ADD, "name": "x", "description": "of a__b"})

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect("a__b")
            (first,) = host.tools
            await host.connect()
            assert len(host.tools) == 2
            assert host.tools[first].description == "of a__b"
            await host.call(first, {})
            assert world.calls_of("a") == []
            assert world.calls_of("a__b") == ["x"]

    asyncio.run(opened())


def test_a_name_that_model_interfaces_refuse_becomes_one_that_they_take(world: ServerWorld) -> None:
    long = "x" * 90
    world.configure("my.boat")
    world.say_of("my.boat", {**ADD, "name": "a b"}, {**ADD, "name": long}, {**ADD, "name": f"{long}y"})
    deny = {"permissions": {"deny": [f"mcp__my.boat__{long}"]}}

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            assert len(host.tools) == 3
            assert all(len(name) <= 64 and name.replace("_", "").isalnum() for name in host.tools)
            for name in host.tools:
                await host.call(name, {})

    asyncio.run(opened())
    assert sorted(world.calls_of("my.boat")) == ["a b", long, f"{long}y"]
    world.write("~/.claude/settings.json", json.dumps(deny))
    assert len(asyncio.run(_connected(world))) == 2


def test_a_server_cannot_take_the_name_of_a_tool_of_the_program(world: ServerWorld) -> None:
    from pisces import Tool

    world.configure("boat")
    world.say_of("boat", ADD)
    own = Tool("boat__add", "mine", {"type": "object"}, lambda _given, _context: "mine")

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers(), tools=[own]) as host:
            await host.connect()
            assert host.tools["boat__add"].description == "mine"
            assert (await host.call("boat__add", {})).text == "mine"

    asyncio.run(opened())


ANSWERS: list[tuple[dict[str, Any], list[str], Any, bool]] = [
    ({"content": [{"type": "text", "text": "hi"}], "structuredContent": {"n": 1}}, ["text"], {"n": 1}, False),
    ({"content": [], "structuredContent": {"n": 1}}, ["text"], {"n": 1}, False),
    ({"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]}, ["image"], None, False),
    ({"content": [{"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}]}, ["audio"], None, False),
    ({"content": [{"type": "resource", "resource": {"uri": "a://b", "text": "t"}}]}, ["resource"], None, False),
    ({"content": [{"type": "resource_link", "uri": "a://b", "name": "b"}]}, ["resource_link"], None, False),
    ({"content": [{"type": "text", "text": "no"}], "isError": True}, ["text"], None, True),
]


def test_every_kind_of_result_reaches_the_caller(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", *({**ADD, "name": f"t{number}", "answer": each[0]} for number, each in enumerate(ANSWERS)))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            for number, (_, kinds, details, is_error) in enumerate(ANSWERS):
                result = await host.call(f"boat__t{number}", {})
                assert [each["type"] for each in result.content] == kinds
                assert (result.details, result.is_error) == (details, is_error)
            assert (await host.call("boat__t1", {})).text == '{"n": 1}'
            assert [(await host.call(f"boat__t{number}", {})).text for number in (4, 5)] == ["t", "[a://b]"]

    asyncio.run(opened())


def test_progress_reaches_whoever_listens(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", {**ADD, "act": "progress"})
    body = """
@pisces.on(ToolExecutionUpdate)
def update(event):
    with open("progress.txt", "a") as file:
        file.write(event.partial_result["message"] + "\\n")
"""
    module = world.module(body.replace("progress.txt", str(world.home / "progress.txt")))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers(), modules=[module]) as host:
            await host.connect()
            await host.call("boat__add", {})

    asyncio.run(opened())
    assert (world.home / "progress.txt").read_text("utf-8").split() == ["step", "1", "step", "2"]


def test_cancelling_a_call_tells_the_server(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", {**ADD, "act": "hang"}, SAY)

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(host.call("boat__add", {}), 1)
            assert not (await host.call("boat__say", {})).is_error

    asyncio.run(opened())
    assert "notifications/cancelled" in [each.get("method") for each in world.log_of("boat")]


BROKEN = {
    "dies": [sys.executable, "-c", "raise SystemExit('I die')"],
    "missing": ["/no/such/program"],
    "hangs": [sys.executable, "-c", "import time; time.sleep(60)"],
    "lies": [sys.executable, "-c", "print('hello'); import sys; sys.stdin.read()"],
    "ends": [sys.executable, "-c", ""],
}


@pytest.mark.usefixtures("own_temporary_files")
def test_fifteen_of_twenty_work_where_five_are_broken_and_nothing_is_left(world: ServerWorld) -> None:
    good = [f"good{number}" for number in range(15)]
    entries = {each: world.entry(each) for each in good}
    entries |= {name: {"command": argv[0], "args": argv[1:], "timeout": 3000} for name, argv in BROKEN.items()}
    world.write("~/.gemini/settings.json", json.dumps({"mcpServers": entries}))
    for each in good:
        world.say_of(each, ADD)

    async def opened() -> None:
        async with nothing_left(str(world.home)), Host.open(world.places, approve=Answers()) as host:
            states = await host.connect()
            assert sorted(name for name, state in states.items() if state == "up") == sorted(good)
            assert {states[name] for name in BROKEN} == {"failed"}
            assert all(host.servers[name].reason for name in BROKEN)
            results = await asyncio.gather(*(host.call(f"{each}__add", {}) for each in good))
            assert not any(each.is_error for each in results)
            failed = [each for each in host.diagnostics if each.code == "mcp-server-failed"]
            assert {each.about for each in failed} == set(BROKEN)

    asyncio.run(opened())


@pytest.mark.usefixtures("own_temporary_files")
def test_a_host_that_closes_during_a_call_answers_it_and_leaves_nothing(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", {**ADD, "act": "hang"})

    async def opened() -> None:
        async with nothing_left(str(world.home)):
            async with Host.open(world.places, approve=Answers()) as host:
                await host.connect()
                call = asyncio.ensure_future(host.call("boat__add", {}))
                while not world.calls_of("boat"):
                    await asyncio.sleep(0.01)
            assert "closed" in (await call).text

    asyncio.run(opened())


def test_in_safe_mode_there_are_none(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)
    places = world.places.replace(env={**world.places.env, "PISCES_SAFE": "1"})

    async def opened() -> None:
        async with Host.open(places, approve=Answers()) as host:
            assert host.servers == {}
            assert await host.connect() == {}

    asyncio.run(opened())
    assert world.log_of("boat") == []


@pytest.mark.parametrize("answer", [False, True])
def test_what_a_project_brings_is_started_only_if_somebody_says_so(answer: bool, world: ServerWorld) -> None:
    world.write(".mcp.json", json.dumps({"mcpServers": {"boat": world.entry("boat")}}))
    world.say_of("boat", ADD)
    answers = Answers(answer)

    async def opened() -> None:
        async with Host.open(world.places, approve=answers) as host:
            names = list(host.servers)
            states = await host.connect()
            assert names in ([], ["boat"])
            assert states.get("boat", "refused") == ("up" if answer and names else "refused")

    asyncio.run(opened())
    assert bool(world.log_of("boat")) == (answer and bool(answers.asked))


def test_nothing_is_started_and_no_sdk_loaded_to_say_what_is_there(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)
    asyncio.run(_connected(world))
    log = world.log_of("boat")
    program = f"""
import asyncio, sys
from pisces import Host, MCP_SERVERS, Places

async def main():
    async with Host.open(Places({world.places.home!r}, {world.places.cwd!r}, {dict(world.places.env)!r}),
                         approve=lambda *_: False) as host:
        host.found(MCP_SERVERS), host.diagnostics
        assert list(host.servers) == ["boat"] and list(host.tools) == ["boat__add"], list(host.tools)
        host.instructions
asyncio.run(main())
print([each for each in sys.modules if each.split(".")[0] in ("mcp", "mcp_types", "httpx2", "pydantic")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.strip() == "[]", done.stderr
    assert world.log_of("boat") == log


def test_a_call_goes_on_while_other_servers_come_up(world: ServerWorld) -> None:
    world.configure("boat", "ship")
    world.say_of("boat", ADD)
    world.say_of("ship", ADD)

    async def opened() -> None:
        async def approve(_request: Request, _questions: tuple[Verdict, ...]) -> bool:
            await host.connect("ship")
            assert "ship__add" in host.tools
            return True

        async with Host.open(world.places, approve=approve) as host:
            await host.connect("boat")
            assert not (await host.call("boat__add", {})).is_error

    asyncio.run(opened())


def test_a_call_that_a_program_asks_about_by_name_is_judged_with_its_server(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)
    asyncio.run(_connected(world))
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"deny": ["mcp__boat__add"]}}))

    async def opened() -> str:
        async with Host.open(world.places, approve=Answers()) as host:
            return (await host.judge(ToolCall("boat__add", "1", {}))).verdict.decision

    assert asyncio.run(opened()) == "deny"


@pytest.mark.parametrize(
    ("rule", "is_error"),
    [
        ('mcpName = "boat"\ntoolName = "*"\ndecision = "allow"', False),
        ('mcpName = "boat"\ntoolName = "add"\ndecision = "allow"', False),
        ('mcpName = "ship"\ntoolName = "*"\ndecision = "allow"', True),
        ('toolName = "mcp_boat_add"\ndecision = "allow"', False),
        ('mcpName = "boat"\ntoolName = "add"\ndecision = "deny"', True),
    ],
)
def test_a_policy_names_the_server(rule: str, is_error: bool, world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)
    world.write("~/.gemini/policies/own.toml", f"[[rule]]\n{rule}\npriority = 100\n")

    async def opened() -> bool:
        async with Host.open(world.places, approve=Answers(False)) as host:
            await host.connect()
            return (await host.call("boat__add", {})).is_error

    assert asyncio.run(opened()) == is_error


def test_a_server_that_is_called_mcp_cannot_spell_another_one(world: ServerWorld) -> None:
    world.configure("mcp", "boat")
    world.say_of("mcp", {**ADD, "name": "boat__add"})
    world.say_of("boat", ADD)
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"allow": ["mcp__boat__add", "mcp__boat"]}}))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers(False)) as host:
            await host.connect()
            assert "mcp__boat__add" not in host.tools
            for name in host.tools:
                await host.call(name, {})

    asyncio.run(opened())
    assert (world.calls_of("mcp"), world.calls_of("boat")) == ([], ["add"])


@pytest.mark.parametrize(("server", "tool"), [("boat__x", "add"), ("boat", "x__add")])
def test_an_allow_that_may_mean_another_server_allows_nothing(server: str, tool: str, world: ServerWorld) -> None:
    world.configure(server)
    world.say_of(server, {**ADD, "name": tool})
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"allow": ["mcp__boat__x__add"]}}))

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers(False)) as host:
            await host.connect()
            (name,) = host.tools
            assert (await host.call(name, {})).is_error

    asyncio.run(opened())
    assert world.calls_of(server) == []


def test_a_yes_to_a_start_holds_while_the_host_is_open(world: ServerWorld) -> None:
    entry = world.entry("boat")
    entry["args"].pop()  # the log, which changes: what a line names is part of what was allowed
    world.write(".pisces/mcp.json", json.dumps({"mcpServers": {"boat": entry}}))
    world.say_of("boat", {**ADD, "act": "die"})
    answers = Answers()

    async def opened() -> None:
        async with Host.open(world.places, approve=answers, mode="all") as host:
            await host.connect()
            assert (await host.call("boat__add", {})).is_error
            async with asyncio.timeout(30):
                while (await host.connect())["boat"] != "up":
                    await asyncio.sleep(0.1)

    asyncio.run(opened())
    assert len(answers.asked) == 1


def test_nothing_starts_once_the_host_is_closed(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD, resources={"note://one": {"text": "x"}})

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            pass
        assert await host.connect() == {}
        with pytest.raises(PiscesError):
            await host.read_resource("boat", "note://one")
        with pytest.raises(Exception, match="closed"):
            await host.servers["boat"].call("add", {})

    asyncio.run(opened())
    assert world.log_of("boat") == []


def test_two_hosts_use_a_server_for_the_first_time_at_once(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD)

    async def opened() -> None:
        two = [Host.open(world.places, approve=Answers(), is_audited=False) for _ in range(2)]
        async with two[0] as one, two[1] as other:
            await asyncio.gather(one.connect(), other.connect())
            for host in (one, other):
                assert sorted(host.tools) == ["boat__add"]
                assert host.servers["boat"].held == {}

    asyncio.run(opened())


def test_a_server_whose_list_changes_whenever_it_is_read_is_not_read_for_ever(world: ServerWorld) -> None:
    world.configure("boat")
    world.say_of("boat", ADD, announces=True)

    async def opened() -> None:
        async with Host.open(world.places, approve=Answers()) as host:
            await host.connect()
            for _ in range(5):
                assert not (await host.call("boat__add", {})).is_error

    asyncio.run(opened())
    assert len([each for each in world.log_of("boat") if each.get("method") == "tools/list"]) < 40

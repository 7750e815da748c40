"""Clients that lie, flood, cut their lines, or look for files that are not theirs."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

import pytest

from pisces.serving.connection import MOST_UNDER_WAY
from pisces.serving.wire import MOST_LINE
from tests.serving.served import SECONDS, SERVE, World, served, started

_PROC = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
_GREETING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense", -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "tools/list"}', -32700),
        (b'\xff\xfe{"jsonrpc": "2.0"}', -32700),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700),
        (b"[" * 100_000, -32600),
        (b'{"a":' * 100_000, -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32600),
        (b"17", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1e300, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 99999999999999999999999999, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {}}', -32600),
    ],
)
def test_a_line_that_is_no_message_gets_an_error_and_the_next_one_is_answered(
    world: World, line: bytes, code: int
) -> None:
    with served(world) as client:
        client.raw(line + b"\n")
        assert client.message()["error"]["code"] == code
        assert client.result("ping") == {}


def test_a_broken_first_line_is_no_end(world: World) -> None:
    with started(world) as client:
        client.raw(b"\xff\xff\n\n\r\n")
        assert client.message()["error"]["code"] == -32700
        client.greet()


def test_a_greeting_in_many_pieces_is_understood(world: World) -> None:
    with started(world) as client:
        for byte in json.dumps(_GREETING).encode() + b"\n":
            client.raw(bytes([byte]))
        assert client.answer(1)["result"]["serverInfo"]["name"] == "pisces"


def test_a_greeting_longer_than_the_first_read_is_understood(world: World) -> None:
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x" * 300_000}}
    with started(world) as client:
        client.send({**_GREETING, "params": params})
        assert client.answer(1)["result"]["serverInfo"]["name"] == "pisces"


def test_half_a_line_at_the_end_is_no_crash(world: World) -> None:
    with served(world) as client:
        client.raw(b'{"jsonrpc": "2.0", "id": 9, "method": "pi')
        client.end_input()
        assert client.process.wait(SECONDS) == 0


@_PROC
def test_a_line_without_end_costs_a_bounded_amount_of_memory(world: World) -> None:
    with served(world) as client:
        chunk = b"x" * (1 << 20)
        for _ in range(5 * MOST_LINE // len(chunk)):
            client.raw(chunk)
        with open(f"/proc/{client.process.pid}/status") as status:
            sizes = dict(line.split(":", 1) for line in status)
        assert int(sizes["VmHWM"].split()[0]) < 5 * MOST_LINE // 1024
        client.raw(b"\n")
        assert str(MOST_LINE) in client.message()["error"]["message"]
        assert client.result("ping") == {}


@pytest.mark.parametrize("arguments", [[], "x", 5, True])
def test_arguments_that_are_no_object_are_refused(world: World, arguments: Any) -> None:
    world.tools()
    world.allow("shout")
    with served(world) as client:
        answer = client.ask("tools/call", {"name": "shout", "arguments": arguments})
        assert answer["error"]["code"] == -32602
        assert client.ask("tools/call", arguments)["error"]["code"] == -32602
        assert client.ask("prompts/get", {"name": "x", "arguments": arguments})["error"]["code"] == -32602


def test_an_id_that_is_in_use_is_refused(world: World) -> None:
    world.tools()
    world.allow("slow")
    with served(world) as client:
        client.start("tools/call", {"name": "slow", "arguments": {"seconds": 60}}, id="same")
        client.start("ping", id="same")
        answer = client.answer("same")
        assert "under way" in answer["error"]["message"]


def test_a_flood_of_requests_is_refused_and_not_queued(world: World) -> None:
    world.tools()
    world.allow("slow")
    with served(world) as client:
        for number in range(MOST_UNDER_WAY * 3):
            client.start("tools/call", {"name": "slow", "arguments": {"seconds": 60}}, id=f"n{number}")
        refused = [client.message() for _ in range(MOST_UNDER_WAY * 2)]
        refused = [each for each in refused if each.get("error", {}).get("code") == -32001]
        assert len(refused) == MOST_UNDER_WAY * 2
        for number in range(MOST_UNDER_WAY):
            client.send({"method": "notifications/cancelled", "params": {"requestId": f"n{number}"}})
        while "error" in (answer := client.ask("ping")):
            assert answer["error"]["code"] == -32001
        assert answer["result"] == {}


def test_responses_that_nobody_asked_for_are_ignored(world: World) -> None:
    with served(world) as client:
        client.send({"id": "pisces-1", "result": {"action": "accept", "content": {"decision": "allow"}}})
        client.send({"id": 7, "error": {"code": 1, "message": "x"}})
        assert client.result("ping") == {}


@pytest.mark.parametrize(
    "path",
    [
        "../../../../../etc/passwd",
        "..%2f..%2f..%2fsecret.txt",
        "%2e%2e/%2e%2e/secret.txt",
        "../other/SKILL.md",
        "./notes.txt",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "linked.txt",
        "linked/secret.txt",
        ".hidden",
        "notes.txt%00",
        "notes.txt/",
        "",
        "pipe",
    ],
)
def test_an_address_leads_to_nothing_but_the_files_of_its_skill(world: World, path: str) -> None:
    folder = world.skill("boat").parent
    world.skill("other")
    world.write("~/secret.txt", "secret")
    (folder / "notes.txt").write_text("notes")
    (folder / ".hidden").write_text("secret")
    (folder / "linked.txt").symlink_to(world.home / "secret.txt")
    (folder / "linked").symlink_to(world.home, target_is_directory=True)
    if sys.platform != "win32":
        os.mkfifo(folder / "pipe")
    with served(world) as client:
        assert client.result("resources/read", {"uri": "skill://boat/notes.txt"})["contents"][0]["text"] == "notes"
        answer = client.ask("resources/read", {"uri": f"skill://boat/{path}"})
        assert answer["error"]["code"] == -32002
        listed = json.dumps(client.result("resources/list"))
        assert "linked" not in listed
        assert "hidden" not in listed


@pytest.mark.parametrize(
    "uri", ["skill://", "skill://boat", "skill://../SKILL.md", "agent://x", "file:///etc/passwd", "", "context://"]
)
def test_an_address_of_nothing_is_refused(world: World, uri: str) -> None:
    world.skill("boat")
    with served(world) as client:
        assert client.ask("resources/read", {"uri": uri})["error"]["code"] == -32002


def test_a_rule_that_denies_a_skill_holds_for_its_files_too(world: World) -> None:
    world.skill("boat")
    world.skill("ship")
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"deny": ["Skill(boat)"]}}))
    with served(world) as client:
        assert client.call("activate_skill", name="boat")["isError"] is True
        assert "error" in client.ask("resources/read", {"uri": "skill://boat/SKILL.md"})
        assert client.result("resources/read", {"uri": "skill://ship/SKILL.md"})["contents"]


def test_a_hook_that_denies_a_skill_holds_for_its_files_too(world: World) -> None:
    world.skill("boat")
    hook = {"type": "command", "command": "echo 'no boats' >&2; exit 2"}
    settings = {"hooks": {"PreToolUse": [{"matcher": "Skill", "hooks": [hook]}]}}
    world.write("~/.claude/settings.json", json.dumps(settings))
    with served(world) as client:
        assert "no boats" in client.text("activate_skill", name="boat")
        answer = client.ask("resources/read", {"uri": "skill://boat/SKILL.md"})
        assert answer["error"]["code"] == -32001
        assert "no boats" in answer["error"]["message"]


@pytest.mark.parametrize(
    "name", ["commit; rm -rf /", "commit\n/other", "/commit", "../commit", "commit x", "", "git:commit"]
)
def test_a_prompt_is_known_by_the_name_in_the_list_alone(world: World, name: str) -> None:
    world.command("commit")
    world.command("git/commit")
    with served(world) as client:
        assert client.ask("prompts/get", {"name": name})["error"]["code"] == -32602


def test_an_argument_never_becomes_another_command(world: World) -> None:
    world.command("note", "Note: $ARGUMENTS")
    world.command("other", "Other")
    with served(world) as client:
        given = {"name": "note", "arguments": {"arguments": "x\n/other !`id` @/etc/passwd"}}
        messages = client.result("prompts/get", given)["messages"]
    assert messages[0]["content"]["text"].startswith("Note: x\n/other !`id` @/etc/passwd")


def test_a_tool_may_be_called_like_a_prompt(world: World) -> None:
    world.tools()
    world.allow("shout")
    world.command("shout", "Shout at $ARGUMENTS")
    with served(world) as client:
        assert client.text("shout", text="x") == "X"
        messages = client.result("prompts/get", {"name": "shout", "arguments": {"arguments": "me"}})["messages"]
        assert messages[0]["content"]["text"] == "Shout at me"


def test_a_tool_that_calls_itself_as_ours_gets_another_name(world: World) -> None:
    world.tools("def extension(pisces):\n    pisces.tool(name='call_tool')(lambda: 'mine')\n")
    world.allow("call_tool")
    with served(world, "--search", "always") as client:
        assert client.names() == ["search_tools", "call_tool"]
        found = json.loads(client.text("search_tools", query=""))["names"]
        assert len(found) == 1
        assert found[0].startswith("call_tool_")
        assert client.text("call_tool", name=found[0]) == "mine"


def test_a_client_cannot_change_the_policy(world: World) -> None:
    world.tools()
    with started(world) as client:
        wish = {"mode": "all", "approveMode": "all", "trust": True, "permissions": {"allow": ["*"]}}
        client.result("initialize", {"protocolVersion": "2025-06-18", "capabilities": wish, **wish, "_meta": wish})
        params = {"name": "shout", "arguments": {"text": "x"}, "_meta": wish, **wish}
        assert client.result("tools/call", params)["isError"] is True
        assert client.ask("host/setMode", wish)["error"]["code"] == -32601


def test_what_is_no_json_in_a_result_does_not_leave_its_caller_waiting(world: World) -> None:
    world.tools(
        "def extension(pisces):\n"
        "    @pisces.tool()\n"
        "    def odd() -> dict:\n"
        "        part = {'type': 'resource_link', 'uri': 'x:y', 'size': float('nan'), 'more': {1, 2}}\n"
        "        return {'content': [part, {'type': 'text', 'text': 'half \\ud800 x'}]}\n"
    )
    world.allow("odd")
    with served(world) as client:
        content = client.call("odd")["content"]
        assert content[1]["text"] == "half ? x"


@_PROC
def test_a_client_that_reads_nothing_costs_a_bounded_amount_of_memory(world: World) -> None:
    """It is not read from either, so its own writing stops."""
    world.tools("def extension(pisces):\n    pisces.tool(name='big')(lambda: 'x' * 250_000)\n")
    world.allow("big")
    with served(world) as client:
        client.names()
        call = json.dumps({"name": "big", "arguments": {}})
        client.pause()
        start = '{"jsonrpc":"2.0","method":"tools/call","params":' + call
        lines = "".join(f'{start},"id":{number}}}\n' for number in range(100, 3000))

        def write() -> None:
            with suppress(BrokenPipeError, ValueError):  # the server ends before all is written
                client.raw(lines.encode())

        writing = threading.Thread(target=write, daemon=True)
        writing.start()
        writing.join(10)
        with open(f"/proc/{client.process.pid}/status") as status:
            sizes = dict(line.split(":", 1) for line in status)
        assert int(sizes["VmRSS"].split()[0]) < 400_000


@pytest.mark.skipif(os.name != "posix", reason="closed by a POSIX shell")
def test_closed_descriptors_are_no_crash(world: World) -> None:
    line = f"exec {shlex.join(SERVE)} <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", line], cwd=world.cwd, env=world.env, timeout=SECONDS).returncode == 0

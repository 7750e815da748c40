"""`pisces mcp serve` on standard input and output, as a client sees it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pisces.serving.greeting import VERSIONS
from tests.serving.served import SECONDS, SERVE, World, served, started


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_of_the_protocol_is_spoken(world: World, version: str) -> None:
    with started(world) as client:
        assert client.greet(version=version)["protocolVersion"] == version
        assert client.result("ping") == {}


def test_an_unknown_version_gets_the_newest_known(world: World) -> None:
    with started(world) as client:
        assert client.greet(version="2099-01-01")["protocolVersion"] == VERSIONS[0]


def test_a_client_of_the_next_era_is_sent_back_to_the_handshake(world: World) -> None:
    with started(world) as client:
        assert client.ask("server/discover", {"_meta": {}})["error"]["code"] == -32601
        assert client.greet()["serverInfo"]["name"] == "pisces"


def test_nothing_is_answered_before_the_greeting(world: World) -> None:
    with started(world) as client:
        assert "initialize" in client.ask("tools/list")["error"]["message"]
        assert client.result("ping") == {}
        client.greet()
        assert client.ask("initialize", {})["error"]["code"] == -32600


def test_the_first_answer_comes_before_anything_heavy_is_loaded(world: World) -> None:
    """Asserted on what is loaded when the loop takes over."""
    program = """
import sys
import pisces.serving.stdio as stdio
seen = []
def export(package, name, export):
    seen.extend(sys.modules)
    return lambda *_: 0
stdio.export_of = export
from pisces.places import places_here
from pisces.serving.choices import ServeChoices
stdio.serve(places_here(), ServeChoices())
heavy = {"asyncio", "pisces.host.host", "pisces.host.wiring", "argparse", "dataclasses", "pathlib", "mcp", "inspect"}
print(sorted(heavy & set(seen)), file=sys.stderr)
"""
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}) + "\n"
    done = subprocess.run(
        [sys.executable, "-c", program], input=line, capture_output=True, text=True, cwd=world.cwd, env=world.env
    )
    assert json.loads(done.stdout)["id"] == 1
    assert done.stderr.strip() == "[]"


def test_a_tool_of_a_module_is_listed_and_called(world: World) -> None:
    world.tools()
    world.allow("shout")
    with served(world) as client:
        tool = next(each for each in client.result("tools/list")["tools"] if each["name"] == "shout")
        assert tool["description"] == "Says a text in capitals"
        assert tool["inputSchema"]["required"] == ["text"]
        assert client.call("shout", text="ahoy") == {"content": [{"type": "text", "text": "AHOY"}]}


def test_what_is_printed_never_reaches_the_client(world: World) -> None:
    world.tools()
    world.allow("noisy")
    with served(world) as client:
        assert client.text("noisy") == "quiet"
        assert client.result("ping") == {}
        client.end_input()
        client.process.wait(SECONDS)
    assert {"printed", "written", "echoed"} <= set(world.errors.read_text().split())


def test_a_denied_call_says_who_denied_it_and_what_would_allow_it(world: World) -> None:
    world.tools()
    with served(world) as client:
        result = client.call("shout", text="x")
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert "pisces mcp serve" in text
    assert "--approve-mode" in text
    assert [each["decision"] for each in world.records() if each["what"] == "judged"] == ["deny"]


def test_a_deny_hook_of_a_plugin_blocks_the_call(world: World) -> None:
    world.tools()
    hook = {"type": "command", "command": "echo 'not on my boat' >&2; exit 2"}
    settings = {"permissions": {"allow": ["shout"]}, "hooks": {"PreToolUse": [{"matcher": "shout", "hooks": [hook]}]}}
    world.write("~/.claude/settings.json", json.dumps(settings))
    with served(world) as client:
        result = client.call("shout", text="x")
    assert result["isError"] is True
    assert "not on my boat" in result["content"][0]["text"]


def test_a_rule_that_asks_is_named_and_no_mode_is_said_to_help(world: World) -> None:
    world.tools()
    world.write("~/.claude/settings.json", json.dumps({"permissions": {"ask": ["shout"]}}))
    with served(world, "--approve-mode", "all") as client:
        result = client.call("shout", text="x")
    assert result["isError"] is True
    assert "settings.json" in result["content"][0]["text"]
    assert "--approve-mode" not in result["content"][0]["text"]


def test_the_approval_mode_is_that_of_the_command_line(world: World) -> None:
    world.tools()
    with served(world, "--approve-mode", "all") as client:
        assert client.text("shout", text="x") == "X"
    with served(world, "--approve-mode", "plan") as client:
        assert client.call("shout", text="x")["isError"] is True


def test_arguments_that_do_not_fit_are_refused_before_anybody_is_asked(world: World) -> None:
    world.tools()
    world.allow("shout")
    with served(world) as client:
        assert "do not fit" in client.text("shout", text=[1])
        assert "do not fit" in client.text("shout")
    assert not [each for each in world.records() if each["what"] == "judged"]


def test_a_failing_tool_leaves_no_secret_and_no_traceback(world: World) -> None:
    world.tools()
    world.allow("broken")
    with served(world) as client:
        result = client.call("broken")
    assert result["isError"] is True
    text = json.dumps(result)
    assert "0123456789abcdefghij" not in text
    assert "Traceback" not in text
    assert ".py" not in text


def test_progress_is_passed_on(world: World) -> None:
    world.tools()
    world.allow("slow")
    with served(world) as client:
        params = {"name": "slow", "arguments": {"seconds": 0}, "_meta": {"progressToken": "p1"}}
        assert client.result("tools/call", params)["content"][0]["text"] == "slept"
        heard = [each["params"] for each in client.heard if each["method"] == "notifications/progress"]
    assert heard == [{"progressToken": "p1", "progress": 1, "total": 2, "message": "half"}]


def test_a_cancelled_call_really_ends_and_is_not_answered(world: World) -> None:
    world.tools()
    world.allow("slow")
    with served(world) as client:
        id = client.start("tools/call", {"name": "slow", "arguments": {"seconds": 60}})
        _until(world.cwd / "slow-started")
        client.send({"method": "notifications/cancelled", "params": {"requestId": id}})
        _until(world.cwd / "slow-cancelled")
        assert client.result("ping") == {}
        assert not [each for each in client.heard if each.get("id") == id]


def test_calls_run_side_by_side(world: World) -> None:
    world.tools()
    world.allow("slow", "shout")
    with served(world) as client:
        client.start("tools/call", {"name": "slow", "arguments": {"seconds": 60}})
        assert client.text("shout", text="x") == "X"


def test_a_tool_that_comes_later_is_announced(world: World) -> None:
    world.tools()
    world.allow("grow", "grown")
    with served(world) as client:
        assert "grown" not in client.names()
        client.text("grow")
        client.hear("notifications/tools/list_changed")
        assert "grown" in client.names()


def test_a_client_that_sets_a_log_level_hears_what_is_wrong_once(world: World) -> None:
    world.tools("1 / 0")
    with served(world) as client:
        client.names()
        assert not [each for each in client.heard if each["method"] == "notifications/message"]
        assert client.ask("logging/setLevel", {"level": "loud"})["error"]["code"] == -32602
        assert client.result("logging/setLevel", {"level": "warning"}) == {}
        client.names()
        message = client.hear("notifications/message")["params"]
        assert message["logger"] == "pisces"
        assert "tools.py" in message["data"]
        client.names()
        assert not [each for each in client.heard if each["method"] == "notifications/message"]


@pytest.mark.parametrize("how", ["end of input", "SIGTERM"])
def test_the_end_closes_what_was_started(world: World, how: str) -> None:
    world.tools()
    world.write("~/.pisces/agent/extensions/end.py", _ENDING)
    world.allow("shout")
    with served(world) as client:
        client.text("shout", text="x")
        if how == "SIGTERM":
            client.process.send_signal(signal.SIGTERM)
        else:
            client.end_input()
        assert client.process.wait(SECONDS) == 0
    assert (world.cwd / "ended").read_text() == "ended"


_ENDING = """
import pathlib
from pisces.events import SessionShutdown

def extension(pisces):
    @pisces.on(SessionShutdown)
    def ended(event):
        pathlib.Path("ended").write_text("ended")
"""


@pytest.mark.skipif(os.name != "posix", reason="started by a POSIX shell")
def test_a_client_that_is_killed_takes_the_server_along(world: World) -> None:
    """Although somebody else still has our input open."""
    fifo, output = world.home / "fifo", world.home / "output"
    line = f"mkfifo {fifo}; exec 3<>{fifo}; {shlex.join(SERVE)} <&3 >{output} & echo $!; wait"
    client = subprocess.Popen(["sh", "-c", line], stdout=subprocess.PIPE, text=True, cwd=world.cwd, env=world.env)
    assert client.stdout is not None
    pid = int(client.stdout.readline())
    input = os.open(fifo, os.O_RDWR)
    try:
        os.write(input, b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}\n')
        _wait(lambda: output.exists() and bool(output.read_text()))
        client.kill()
        client.wait()
        client.stdout.close()
        _wait(lambda: not _is_alive(pid))
    finally:
        os.close(input)


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_requests_under_way_are_answered_after_the_end_of_input(world: World) -> None:
    world.skill("review")
    lines: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    text = "".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in lines)
    done = subprocess.run(
        SERVE, input=text, capture_output=True, text=True, cwd=world.cwd, env=world.env, timeout=SECONDS
    )
    answers = {each["id"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert answers[2]["result"]["tools"][0]["name"] == "activate_skill"
    assert done.returncode == 0


def test_names_are_valid_for_every_client_and_stay_the_same(world: World) -> None:
    module = """
def extension(pisces):
    for name in ("plain", "with:colon", "with_colon", "x" * 90, "übung", "a b/c"):
        pisces.tool(name=name)(lambda: "x")
"""
    world.tools(module)
    with served(world) as client:
        names = client.names()
    assert len(set(names)) == 6
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,48}", each) for each in names)
    world.tools(module.replace('"plain", ', ""))
    with served(world) as client:
        assert set(client.names()) == set(names) - {"plain"}


def _until(path: Path) -> None:
    _wait(path.exists)


def _wait(is_so: Callable[[], bool]) -> None:
    """Looks now and then: a loop without a pause takes the processor from the server."""
    end, pause = time.monotonic() + SECONDS, threading.Event()
    while not is_so():
        assert time.monotonic() < end
        pause.wait(0.02)

"""Gemini CLI's own companion answers only its newest client: we disturb no agent that is connected, or say it first."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.ide import Companion, Editor, Window
from pisces.ide.probe.probe import BROKEN, probed
from pisces.ide.probe.subject import ProbeTarget
from tests.ide.client_room import Room, run
from tests.ide.gemini_desk import desk_in
from tests.ide.gemini_terminal import fake_gemini, needs_gemini, until
from tests.ide.pseudoterminal import Pseudoterminal
from tests.ide.vscode_like import VsCodeLike, open_file

PISCES = [sys.executable, "-m", "pisces", "ide"]
SAYS = "answers only the client that connected last"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def google(room: Room) -> Iterator[VsCodeLike]:
    with VsCodeLike(room.folder, room.project, ["newest-only"]) as made:
        made.show(open_file(room.main, isActive=True))
        yield made


def _env(room: Room) -> dict[str, str]:
    passed = {
        name: os.environ[name] for name in ("PATH", "PYTHONDONTWRITEBYTECODE", "SYSTEMROOT") if name in os.environ
    }
    return {**passed, **room.env}


def _pisces(room: Room, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PISCES, *words],
        cwd=room.project,
        env=_env(room),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_status_proves_port_and_token_and_the_agent_goes_on(room: Room, google: VsCodeLike, output_format: str) -> None:
    async def body() -> subprocess.CompletedProcess[str]:
        async with room.client() as agent:
            await agent.first_context()
            assert agent.connection
            done = await asyncio.to_thread(_pisces, room, "status", "--output-format", output_format)
            assert await agent.connection.request("ping", {}, 10) == {}, "it is still answered"
            return done

    done = run(body())
    assert done.returncode == 0, done.stdout + done.stderr
    assert google.greetings == 1
    if output_format == "json":
        told = json.loads(done.stdout)["connection"]
        assert (told["state"], told["checks_token"], told["sessions"]) == ("connected", True, "newest")
    else:
        assert f"port {google.port} takes the token, and nothing without it" in done.stdout


def test_status_says_when_the_token_is_wrong(room: Room, google: VsCodeLike) -> None:
    google.file.write_text(google.file.read_text().replace(google.token, "0" * 36))
    done = _pisces(room, "status")
    assert done.returncode == 1
    assert "does not accept the token (401)" in done.stdout
    assert google.greetings == 0


def test_status_says_when_the_token_is_not_asked_for(room: Room) -> None:
    with VsCodeLike(room.folder, room.project, ["token-required"]) as editor:
        done = _pisces(room, "status")
    assert (done.returncode, editor.greetings) == (0, 0)
    assert "answers without the token too" in done.stdout


@pytest.mark.parametrize("defect", ["session-required", "stream", "bad-body", "handshake"])
def test_status_opens_no_session_with_odd_companions_either(room: Room, defect: str) -> None:
    with VsCodeLike(room.folder, room.project, [defect]) as editor:
        done = _pisces(room, "status")
    assert (done.returncode, editor.greetings) == (0, 0), done.stdout


def test_status_opens_no_session_with_ours(room: Room) -> None:
    counts: list[int] = []
    window = Window((str(room.project),), "ours", "Our Editor")
    with Companion(window, Editor(clients_changed=counts.append), env=room.env):
        done = _pisces(room, "status", "--output-format", "json")
    told = json.loads(done.stdout)["connection"]
    assert (done.returncode, told["editor"], told["sessions"]) == (0, "Our Editor", "many")
    assert counts == []


def test_what_is_no_companion_is_not_taken_for_one(room: Room, google: VsCodeLike) -> None:
    script = "import http.server as h; s = h.HTTPServer(('127.0.0.1', 0), h.BaseHTTPRequestHandler)"
    script += "; print(s.server_port, flush=True); s.serve_forever()"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as other:
        assert other.stdout
        port = int(other.stdout.readline())
        told = {**json.loads(google.file.read_text()), "port": port}
        google.file.write_text(json.dumps(told))
        done = _pisces(room, "status")
        other.kill()
    assert done.returncode == 1
    assert "not as a companion does" in done.stdout


@pytest.mark.parametrize("words", ["watch --once", "watch --once --output-format json", "probe --no-diff"])
def test_who_opens_a_session_says_so_before(room: Room, google: VsCodeLike, words: str) -> None:
    done = _pisces(room, *words.split())
    assert SAYS in done.stderr
    assert "/ide enable" in done.stderr
    if words.startswith("watch"):
        assert done.returncode == 0
        assert str(room.main) in done.stdout
        first = done.stderr.index(SAYS)
        assert "connected to" not in done.stderr[:first]


@pytest.mark.parametrize("words", ["watch --once", "probe"])
def test_nothing_is_said_of_a_companion_that_answers_everybody(room: Room, words: str) -> None:
    with Companion(Window((str(room.project),), "ours", "Ours"), Editor(), env=room.env) as companion:
        companion.open_files.focus(str(room.main))
        done = _pisces(room, *words.split())
    assert "connected last" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudoterminal")
@pytest.mark.parametrize("words", ["watch --once", "probe"])
@pytest.mark.parametrize(("keys", "greetings"), [("n\r", False), ("\r", False), ("y\r", True)])
def test_at_a_terminal_it_asks(room: Room, google: VsCodeLike, words: str, keys: str, greetings: bool) -> None:
    terminal = Pseudoterminal([*PISCES, *words.split()], room.project, _env(room))
    try:
        assert until(lambda: b"Connect all the same?" in bytes(terminal.output)), bytes(terminal.output)
        assert google.greetings == 0
        terminal.keys(keys)
        terminal.wait()
    finally:
        terminal.end()
    assert bool(google.greetings) == greetings
    assert (b"ide-declined" in bytes(terminal.output)) != greetings


def test_a_probe_blames_the_one_rule_that_is_broken(room: Room, google: VsCodeLike) -> None:
    target = ProbeTarget(google.port, google.token, str(google.file), env=room.env, quiet=0.05)
    results = asyncio.run(probed(target))
    broken = {each.rule.id: each.finding.detail for each in results if each.finding.verdict == BROKEN}
    assert set(broken) == {"session-own", "file-ide-info"}
    assert "is not answered any more" in broken["session-own"]


@needs_gemini
def test_the_real_gemini_cli_finishes_its_diff_while_status_is_asked(tmp_path: Path) -> None:
    from tests.ide.gemini_screen import GeminiScreen

    model = fake_gemini()
    with desk_in(tmp_path) as desk, VsCodeLike(desk.home.tmp, desk.workspace, ["newest-only"]) as editor:
        path = desk.workspace / "new.txt"
        env = {"TERM_PROGRAM": "vscode"}
        with GeminiScreen(desk.home, desk.workspace, **env) as screen:
            assert until(lambda: editor.greetings == 1), screen.text()
            screen.shows("Type your message")
            desk.api.push(model.call("write_file", {"file_path": str(path), "content": "proposed\n"}))
            desk.api.push(model.text("all is written"))
            screen.submit("please write")
            assert until(lambda: str(path) in editor.diffs), screen.text()
            screen.shows("Apply this change?")
            asked = subprocess.run(
                [*PISCES, "status"], cwd=desk.workspace, env={**desk.home.env, **env}, capture_output=True, check=False
            )
            assert asked.returncode == 0, asked.stdout
            screen.type("1")  # in the terminal: it closes the diff in the editor, and waits for the answer
            screen.shows("all is written")
        assert path.read_text() == "proposed\n"
        assert editor.greetings == 1

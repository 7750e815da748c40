"""What the program of a slash command writes is heard while it runs, and is whole in the end."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pisces.session.session import Session
from pisces.shapes.events.surroundings import CommandUpdate
from pisces.ui.terminal.conversation import Conversation
from pisces.ui.terminal.live import Live
from pisces.ui.terminal.themes import PLAIN
from tests.session.world import SessionWorld, until
from tests.ui.terminal_views.collecting_screen import CollectingScreen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")


def package_with(folder: Path, script: str) -> str:
    package = folder / "sail"
    (package / "bin").mkdir(parents=True)
    command = {"type": "executable", "binary": "${extensionPath}/bin/sail", "description": "sails"}
    manifest = {"name": "sail", "version": "1.0.0", "commands": {"sail": command}}
    (package / "gemini-extension.json").write_text(json.dumps(manifest), encoding="utf-8")
    (package / "bin" / "sail").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (package / "bin" / "sail").chmod(0o755)
    return str(package)


def test_output_is_heard_while_the_program_runs(tmp_path: Path) -> None:
    wait = f"echo first; while [ ! -e {tmp_path}/go ]; do :; done; echo second; echo third >&2"
    world = SessionWorld(tmp_path, packages=[package_with(tmp_path, wait)])

    async def work(session: Session) -> None:
        running = session.start_beside(session.submit("/sail"))
        await until(lambda: bool(world.of(CommandUpdate)))
        assert not running.done()
        (tmp_path / "go").touch()
        output = (await running).submitted.output
        assert (output.stdout, output.stderr, output.problem) == ("first\nsecond\n", "third\n", None)

    world.during(work)
    heard = world.of(CommandUpdate)
    assert {each.command for each in heard} == {"sail"}
    assert "".join(each.text for each in heard if each.stream == "out") == "first\nsecond\n"
    assert "".join(each.text for each in heard if each.stream == "err") == "third\n"


def test_what_is_heard_has_no_escape_codes(tmp_path: Path) -> None:
    script = r"printf '\033[2Ja\033]0;title\007b\342\202'; printf '\254'"
    world = SessionWorld(tmp_path, packages=[package_with(tmp_path, script)])
    world.submit("/sail")
    assert "".join(each.text for each in world.of(CommandUpdate)) == "ab\N{EURO SIGN}"


def test_modules_hear_it_too(tmp_path: Path) -> None:
    module = (
        "from pisces import events\n"
        "def extension(pisces):\n"
        "    @pisces.on(events.CommandUpdate)\n"
        "    def heard(event):\n"
        "        pisces.ui.notify(event.text)\n"
    )
    world = SessionWorld(tmp_path, module=module, packages=[package_with(tmp_path, "echo hello")])

    async def work(session: Session) -> None:
        await session.submit("/sail")
        await until(lambda: bool(world.notices))

    world.during(work)
    assert world.notices == ["hello\n"]


def test_the_live_area_shows_the_end_of_it_until_the_program_has_ended(tmp_path: Path) -> None:
    screen = CollectingScreen()
    live = Live(lambda block, _width: [block.text])
    conversation = Conversation(screen, live, lambda block, _width: [block.text])
    conversation.read(CommandUpdate("sail", "one\n"))
    conversation.read(CommandUpdate("sail", "two\n"))
    assert live.lines(40, 10, PLAIN) == ["● /sail", "  one", "  two"]
    conversation.settled()
    assert live.lines(40, 10, PLAIN) == []


def test_what_commands_said_is_in_the_transcript_before_the_conversation_goes_on(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["hello"], packages=[package_with(tmp_path, "echo ahoy")])

    async def work(session: Session) -> str:
        for line in ("/sail", "hi", "/sail again"):
            await session.submit(line)
        return session.transcript.path

    entries = [json.loads(line) for line in Path(world.during(work)).read_text("utf-8").splitlines()]
    assert [each["type"] for each in entries] == ["session", "notice", "message", "message", "notice"]
    assert [each["text"] for each in entries if "text" in each] == ["/sail\nahoy", "/sail again\nahoy"]
    assert "ahoy" not in str(world.model.asked[0].messages)


def test_a_session_with_nothing_but_commands_is_not_stored(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, packages=[package_with(tmp_path, "echo ahoy")])

    async def work(session: Session) -> str:
        await session.submit("/sail")
        return session.transcript.path

    assert not Path(world.during(work)).exists()


def test_the_log_says_how_the_program_ended(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, packages=[package_with(tmp_path, "exit 3")])
    world.submit("/sail fast")
    log = tmp_path / ".pisces" / "audit" / "log.jsonl"
    ran = [each for each in map(json.loads, log.read_text("utf-8").splitlines()) if each["what"] == "ran"]
    assert [(each["kind"], each["name"], each["exit"]) for each in ran] == [("program", "/sail", 3)]

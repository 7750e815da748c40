"""A hook that misbehaves: it denies what it should have judged, and nothing of it stays behind."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pisces.gates.hooks.firing import HOOK_FAILED
from pisces.shapes.events import Notification, ToolResult

from .session import ALLOW, DENY, Session, hook, judged, verdict_of, without_leaks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="hooks run by /bin/sh here")

MARK = f"sleep 31.{os.getpid()}"  # tests that run beside this one have their own
HALF = 'printf \'%s\' \'{"hookSpecificOutput": {"hookEventName": "PreToolUse"\''
FAULTS: dict[str, dict[str, Any]] = {
    "hangs": {"command": MARK, "timeout": 0.2},
    "hangs after a log line": {"command": f"echo working; {MARK}", "timeout": 0.2},
    "ignores SIGTERM": {"command": f"trap '' TERM; {MARK} & wait; {MARK}", "timeout": 0.2},
    "dies by its own hand": {"command": "kill -9 $$"},
    "has no interpreter": {"command": "/no/such/guard"},
    "prints half an answer": {"command": HALF},
    "prints a gigabyte": {"command": "head -c 1000000000 /dev/zero | tr '\\0' x"},
    "prints an answer behind a gigabyte": {"command": f"head -c 1000000000 /dev/zero | tr '\\0' x; {ALLOW}"},
    "never reads and fails": {"command": "exec 0<&-; exit 1"},
    "is not there": {"command": "./guard.sh", "args": []},
    "allows and fails": {"command": f"{ALLOW}; exit 1"},
    "allows and hangs": {"command": f"{ALLOW}; {MARK}", "timeout": 0.2},
}


def processes_like(text: str) -> list[str]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        try:
            line = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if text in line and state != "Z":
            found.append(line)
    return found


@pytest.mark.parametrize("name", FAULTS)
def test_a_guard_that_fails_denies_is_reported_once_and_leaves_nothing(name: str, tmp_path: Path) -> None:
    fields = dict(FAULTS[name])

    async def play() -> Session:
        session = Session(tmp_path, hook(fields.pop("command"), number=7, **fields))
        for _ in range(2):
            verdict = await verdict_of(session)
            assert verdict is not None
            assert verdict.decision == "deny"
        await session.hooks.close()
        return session

    session = without_leaks(play)
    assert not processes_like(MARK)
    assert [(each.code, each.path, each.line) for each in session.reported] == [
        (HOOK_FAILED.code, "/home/settings.json", 8)
    ]


@pytest.mark.parametrize(
    "command",
    [
        f"({MARK}) & {DENY}",
        f"setsid {MARK} >/dev/null 2>&1 & {DENY}",
        f"setsid sh -c '{MARK}' & {DENY}",
        f"nohup {MARK} >/dev/null 2>&1 & {DENY}",
        f"(trap '' TERM; {MARK}) & {DENY}",
    ],
    ids=("in its group", "in its own session", "with its pipes", "without a hangup", "deaf"),
)
def test_what_a_hook_leaves_in_the_background_neither_delays_nor_stays(command: str, tmp_path: Path) -> None:
    async def play() -> float:
        session = Session(tmp_path, hook(command))
        started = time.monotonic()
        verdict = await verdict_of(session)
        assert verdict is not None
        assert verdict.decision == "deny"
        assert "Blocked by hook" in verdict.why
        await session.hooks.close()
        return time.monotonic() - started

    assert without_leaks(play) < 3
    assert not processes_like(MARK)


def test_a_child_that_forked_away_ends_at_the_timeout(tmp_path: Path) -> None:
    command = f"setsid sh -c '{MARK}; touch late' & {MARK}"
    assert judged(tmp_path, hook(command, timeout=0.3)) == "deny"
    assert not processes_like(MARK)


def test_a_hook_that_closes_its_output_and_lives_on_is_waited_for(tmp_path: Path) -> None:
    command = f"exec 1>&- 2>&-; {MARK}"
    assert judged(tmp_path, hook(command, timeout=0.3)) == "deny"
    assert not processes_like(MARK)


def test_a_denial_that_was_printed_before_the_timeout_counts(tmp_path: Path) -> None:
    async def play() -> str:
        session = Session(tmp_path, hook(f"{DENY}; {MARK}", timeout=0.3))
        verdict = await verdict_of(session)
        assert verdict is not None
        await session.hooks.close()
        return verdict.why

    assert "Blocked by hook" in without_leaks(play)


def test_a_hook_that_never_reads_a_large_input_does_not_block_the_session(tmp_path: Path) -> None:
    async def play() -> str:
        session = Session(tmp_path, hook(DENY))
        verdict = await verdict_of(session, "x" * 3_000_000)
        await session.hooks.close()
        return verdict.decision if verdict else ""

    assert without_leaks(play) == "deny"


def test_fifty_at_once_all_run_and_one_of_them_denies(tmp_path: Path) -> None:
    hooks = [hook(f"{ALLOW}; : {number}", number=number) for number in range(49)]

    async def play() -> str:
        session = Session(tmp_path, *hooks, hook("exit 2", number=50))
        verdict = await verdict_of(session)
        assert len(session.runs) == 50
        await session.hooks.close()
        return verdict.decision if verdict else ""

    assert without_leaks(play) == "deny"


def test_fifty_calls_at_once_are_each_judged_by_their_own_input(tmp_path: Path) -> None:
    async def play() -> list[str]:
        session = Session(tmp_path, hook("grep -q SECRET && exit 2; exit 0"))
        lines = [f"echo {'SECRET' if number % 7 == 0 else 'x'} {number}" for number in range(50)]
        verdicts = await asyncio.gather(*(verdict_of(session, line) for line in lines))
        await session.hooks.close()
        return [each.decision if each else "" for each in verdicts]

    assert without_leaks(play) == ["deny" if number % 7 == 0 else "" for number in range(50)]


def test_a_cancelled_call_ends_its_hooks(tmp_path: Path) -> None:
    async def play() -> None:
        session = Session(tmp_path, hook(f"touch started; {MARK}"))
        call = asyncio.ensure_future(verdict_of(session))
        while not (tmp_path / "started").exists():
            await asyncio.sleep(0.01)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await session.hooks.close()

    without_leaks(play)
    assert not processes_like(MARK)


def test_a_call_that_waits_when_the_session_closes_is_denied(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        session = Session(tmp_path, hook(f"touch started; {MARK}", onFailure="continue"))
        call = asyncio.ensure_future(verdict_of(session))
        while not (tmp_path / "started").exists():
            await asyncio.sleep(0.01)
        await session.hooks.close()
        during, after = await call, await verdict_of(session)
        assert during is not None
        assert after is not None
        return during.decision, after.decision

    assert without_leaks(play) == ("deny", "deny")
    assert not processes_like(MARK)


def test_a_run_that_cannot_be_recorded_denies(tmp_path: Path) -> None:
    def fails(_run: object) -> None:
        raise OSError("the disk is full")

    async def play() -> str:
        session = Session(tmp_path, hook(ALLOW), record=fails)
        verdict = await verdict_of(session)
        await session.hooks.close()
        return verdict.decision if verdict else ""

    assert without_leaks(play) == "deny"


def test_a_hook_in_the_background_ends_when_the_session_closes(tmp_path: Path) -> None:
    async def play() -> None:
        session = Session(tmp_path, hook(f"touch started; {MARK}", "Notification", **{"async": True}))
        await session.hooks.emit(Notification("look"))
        while not (tmp_path / "started").exists():
            await asyncio.sleep(0.01)
        await session.hooks.close()

    without_leaks(play)
    assert not processes_like(MARK)


def test_a_hook_that_changes_its_own_file_does_not_run_again(tmp_path: Path) -> None:
    script = tmp_path / "guard.sh"
    script.write_text("#!/bin/sh\necho '#' >> guard.sh\nexit 0\n")
    script.chmod(0o755)
    before = script.read_bytes()

    def difference() -> str:
        return "" if script.read_bytes() == before else "guard.sh changed"

    async def play() -> list[str]:
        session = Session(tmp_path, hook("./guard.sh", difference=difference, onFailure="continue"))
        verdicts = [await verdict_of(session) for _ in range(3)]
        assert len(script.read_bytes()) == len(before) + 2, "it ran once"
        await session.hooks.close()
        return [each.decision if each else "" for each in verdicts]

    assert without_leaks(play) == ["", "deny", "deny"], "and its own file cannot say that this is no obstacle"


def test_a_bad_hook_takes_nothing_else_with_it(tmp_path: Path) -> None:
    result = ToolResult("Bash", "c1", {"command": "x"}, ({"type": "text", "text": "hi"},))
    context = '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "C"}}'

    async def play() -> list[str]:
        bad, good = hook("kill -9 $$", "PostToolUse"), hook(f"printf '%s' '{context}'", "PostToolUse", number=1)
        session = Session(tmp_path, bad, good)
        after = await session.hooks.emit(result)
        await session.hooks.close()
        return [note.text for note in after.notes]

    assert without_leaks(play) == ["PostToolUse:Bash hook additional context: C"]


def test_no_secret_reaches_a_hook(tmp_path: Path) -> None:
    secrets = {"ANTHROPIC_API_KEY": "sk-1", "MY_SECRET_TOKEN": "s3cret", "AWS_SECRET_ACCESS_KEY": "k"}

    async def play() -> None:
        session = Session(tmp_path, hook("env > seen"), env=secrets)
        await verdict_of(session)
        await session.hooks.close()

    without_leaks(play)
    seen = dict(line.split("=", 1) for line in (tmp_path / "seen").read_text().splitlines() if "=" in line)
    assert not set(secrets) & set(seen)
    assert seen["CLAUDE_PROJECT_DIR"] == str(tmp_path)
    assert seen["CLAUDECODE"] == "1"
    assert seen["CLAUDE_CODE_SESSION_ID"] == "s1"
    assert seen["CLAUDE_EFFORT"] == "medium"

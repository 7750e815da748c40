"""When we are killed, so is what we started: nobody is asked, because there is nobody left to ask."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic

import pytest

from pisces.processes.systems.lifeline import Lifeline, when_killed
from pisces.processes.systems.members import MARK, fix_mark, kill_all, marked, members_of, new_mark

if sys.platform == "win32":
    pytest.skip(when_killed(), allow_module_level=True)

DECISION = Path(__file__).resolve().parents[2] / "docs" / "decisions" / "0040-processes.md"
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "commands.md"
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")

WAITING = """
import sys
from pisces.processes.launch import Launch
from pisces.processes.run import run
run(Launch(("sh", "-c", sys.argv[1]), "/", {"PATH": sys.argv[2]}), lambda *_: None)
"""
ASYNCHRONOUS = """
import asyncio, sys, threading
from pisces.processes.launch import Launch
from pisces.processes.process import captured
launch = Launch(("sh", "-c", sys.argv[1]), "/", {"PATH": sys.argv[2]})
thread = threading.Thread(target=lambda: asyncio.run(captured(launch)))
thread.start()
thread.join()
"""
MODULE = """
import asyncio, sys
from pisces.modules.exec import execute
asyncio.run(execute(["sh", "-c", sys.argv[1]], "/"))
"""
ON_A_TERMINAL = """
import sys
from pisces.processes.launch import Launch
from pisces.processes.terminal import UserTerminal, run_in_terminal
run_in_terminal(Launch(("sh", "-c", sys.argv[1]), "/", {"PATH": sys.argv[2]}), UserTerminal())
"""
# The leader, a child, and, last, one that leaves session and group: all deaf to whatever can be ignored.
FAMILY = (
    "trap '' TERM HUP INT; sleep 60 & echo $$ $! >> {file};"
    "setsid sh -c 'trap \"\" TERM HUP; echo $$ >> {file}; sleep 60; :' & wait; sleep 60"
)


# Forked twice, in a session of its own, and without any environment: what the mark in the environment cannot find.
HIDING = (
    "setsid sh -c 'env -i sh -c \"echo \\$\\$ >> {file}; exec sleep 61\" &';"
    "setsid env -i sh -c 'echo $$ >> {file}; sleep 61; :' & echo $$ >> {file}; sleep 61; :"
)
WORKER = """
import os, sys
from pisces.commands.programs.worker import Workers
from pisces.processes.launch import Launch
tool = sys.argv[1]
with Workers() as workers:
    workers.call(Launch((tool,), "/", {"PATH": sys.argv[2]}), (), lambda *_: None)
"""
SIDECAR = """
import asyncio, sys
from pisces.modules.sidecar import Runtime, SidecarLimits
from pisces.modules.sidecar.process import JsonProcess
async def play():
    gone = asyncio.get_running_loop().create_future()
    process = JsonProcess(lambda _message: None, gone.set_result, SidecarLimits())
    process.start(Runtime("bun", ("sh", "-c", sys.argv[1]), {"PATH": sys.argv[2]}))
    await gone
asyncio.run(play())
"""
FENCED = """
import sys
from pisces.processes.launch import Launch
from pisces.processes.run import run
from pisces.processes.sandbox.allowed import Allowed
from pisces.processes.sandbox.fence import fenced
launch = Launch(("sh", "-c", sys.argv[1]), "/", {"PATH": sys.argv[2]})
run(fenced(launch, Allowed(write=(sys.argv[3],)))[0], lambda *_: None)
"""
# The program of an outer pisces is a pisces itself: killing the outer one must reach what the inner one started.
NESTED = """
import os, sys
from pisces.processes.launch import Launch
from pisces.processes.run import run
run(Launch((sys.executable, "-c", os.environ["INNER"], sys.argv[1], sys.argv[2]), "/", {}), lambda *_: None)
"""


def is_alive(pid: int) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False).stdout.strip()
    return bool(shown) and not shown.startswith(b"Z")


def eventually(is_true: object, seconds: float = 10) -> bool:
    assert callable(is_true)
    deadline = monotonic() + seconds
    while not is_true() and monotonic() < deadline:
        threading.Event().wait(0.01)
    return bool(is_true())


def pids_in(file: Path) -> list[int]:
    return [int(word) for word in file.read_text().split()] if file.exists() else []


@on_linux
@pytest.mark.parametrize("how", [WAITING, ASYNCHRONOUS, MODULE, ON_A_TERMINAL])
def test_a_killed_parent_takes_everything_along(tmp_path: Path, how: str) -> None:
    file = tmp_path / "pids"
    path = os.environ.get("PATH", os.defpath)
    argv = [sys.executable, "-c", how, FAMILY.format(file=file), path]
    parent = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        assert eventually(lambda: len(pids_in(file)) == 3)
        assert all(map(is_alive, pids_in(file)))
    finally:
        parent.kill()
        parent.communicate()
    assert eventually(lambda: not any(map(is_alive, pids_in(file))))


@on_linux
@pytest.mark.parametrize("how", [WAITING, ASYNCHRONOUS, MODULE, ON_A_TERMINAL, SIDECAR, FENCED, NESTED, WORKER])
def test_a_killed_parent_takes_daemons_along_that_hide(tmp_path: Path, how: str) -> None:
    file = tmp_path / "pids"
    line, path = HIDING.format(file=file), os.environ.get("PATH", os.defpath)
    if how is WORKER:
        tool = tmp_path / "tool"
        tool.write_text(f"#!/bin/sh\n{line}\n")
        tool.chmod(0o755)
        line = str(tool)
    argv = [sys.executable, "-c", how, line, path, str(tmp_path)]
    env = {**os.environ, "INNER": WAITING}
    parent = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env)
    try:
        assert eventually(lambda: len(pids_in(file)) == 3)
        assert all(map(is_alive, pids_in(file)))
    finally:
        parent.kill()
        parent.communicate()
    gone = eventually(lambda: not any(map(is_alive, pids_in(file))))
    for pid in filter(is_alive, pids_in(file)):
        os.kill(pid, signal.SIGKILL)
    assert gone


def test_who_kills_all_that_is_named_pisces_does_not_kill_what_watches() -> None:
    lifeline = Lifeline(new_mark())
    assert lifeline._watcher is not None
    words = lifeline._watcher.args
    assert isinstance(words, tuple)
    assert not any("pisces" in word for word in words)
    lifeline.release()


def test_what_is_lost_without_a_release_is_ended() -> None:
    """As when an exception interrupts a start: the number of the program was never told."""
    mark = new_mark()
    lifeline = Lifeline(mark)
    lost = subprocess.Popen(["sleep", "60"], start_new_session=True, env={**os.environ, MARK: mark})
    if not sys.platform.startswith("linux"):
        lifeline.guard(lost.pid)
    lifeline.cut()
    assert lost.wait(10) == -signal.SIGKILL
    lifeline.release()


def test_a_released_program_goes_on() -> None:
    mark = new_mark()
    lifeline = Lifeline(mark)
    program = subprocess.Popen(["sleep", "60"], start_new_session=True, env={**os.environ, MARK: mark})
    try:
        lifeline.guard(program.pid)
        lifeline.release()
        with pytest.raises(subprocess.TimeoutExpired):
            program.wait(0.3)
    finally:
        program.kill()
        program.wait()


def test_ctrl_c_and_kill_do_not_cut_it() -> None:
    mark = new_mark()
    lifeline = Lifeline(mark)
    program = subprocess.Popen(["sleep", "60"], start_new_session=True, env={**os.environ, MARK: mark})
    lifeline.guard(program.pid)
    watcher = lifeline._watcher
    assert watcher is not None
    assert os.getsid(watcher.pid) == watcher.pid
    for number in (signal.SIGINT, signal.SIGHUP):
        assert eventually(lambda number=number: _ignores(watcher.pid, number)) or not os.path.exists("/proc/self")
        watcher.send_signal(number)
    assert watcher.poll() is None
    lifeline.cut()
    assert program.wait(10) == -signal.SIGKILL
    lifeline.release()


def _ignores(pid: int, number: int) -> bool:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    mask = int(next(line for line in lines if line.startswith("SigIgn")).split()[1], 16)
    return bool(mask & 1 << (number - 1))


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_pages_say_what_holds_on_each_system(platform: str) -> None:
    for page in (DECISION, GUIDE):
        assert when_killed(platform) in " ".join(page.read_text("utf-8").split()), page


@on_linux
def test_what_the_embedding_program_starts_is_no_member(tmp_path: Path) -> None:
    """Not even where it has the mark, because it was started at the same moment."""
    mark = new_mark()
    with marked(mark):
        foreign = subprocess.Popen(["sleep", "60"], start_new_session=True)
    leader = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        fix_mark(leader.pid, mark)
        assert members_of(leader.pid, mark) == [leader.pid]
        kill_all(leader.pid, mark)
        assert leader.wait(10) == -signal.SIGKILL
        assert foreign.poll() is None
    finally:
        for each in (foreign, leader):
            each.kill()
            each.wait()

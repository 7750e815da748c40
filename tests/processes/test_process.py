"""Programs for asyncio: real ones, driven by descriptors and by the threads that Windows needs."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pisces.processes.ended import STOPPED, TIMEOUT, TOO_MANY_PROCESSES, TOO_MUCH_OUTPUT, Ended
from pisces.processes.launch import ERR, OPEN, OUT, Launch, Limits, Terminal
from pisces.processes.process import Process, captured, run
from pisces.processes.run import run as run_and_wait
from pisces.processes.systems.windows import ThreadedRunning

if sys.platform == "win32":
    pytest.skip("needs a POSIX shell", allow_module_level=True)

ENV = {"PATH": os.environ.get("PATH", os.defpath)}
PLENTY = Limits(seconds=20)
THREADED: type[Process] = type("Threaded", (Process,), {"system": ThreadedRunning})
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
both = pytest.mark.parametrize("kind", [Process, THREADED])


def shell(line: str, limits: Limits = PLENTY, **more: Any) -> Launch:
    return Launch(("/bin/sh", "-c", line), "/", ENV, limits, **more)


def ran(play: Coroutine[Any, Any, Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(20):
            return await play

    return asyncio.run(bounded())


def is_alive(pid: int) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False).stdout.strip()
    return bool(shown) and not shown.startswith(b"Z")


def all_gone(pids: list[int]) -> bool:
    deadline = monotonic() + 5
    while any(map(is_alive, pids)) and monotonic() < deadline:
        threading.Event().wait(0.01)
    return not any(map(is_alive, pids))


async def pids_in(file: Path, count: int) -> list[int]:
    while not (file.exists() and len(file.read_text().split()) == count):
        await asyncio.sleep(0.01)
    return [int(word) for word in file.read_text().split()]


# What comes back


@both
def test_output_comes_as_it_is_written_and_then_the_end(kind: type[Process]) -> None:
    async def play() -> tuple[list[tuple[str, bytes]], Ended]:
        async with kind.start(shell("echo one; read x; echo two >&2; exit 3", stdin=OPEN)) as process:
            seen = [await anext(process)]
            process.write(b"go\n")
            seen += [chunk async for chunk in process]
            return seen, await process.wait()

    seen, ended = ran(play())
    assert seen == [(OUT, b"one\n"), (ERR, b"two\n")]
    assert (ended.code, ended.reason) == (3, "")
    assert 0 < ended.seconds < 20


def test_all_of_it_at_once() -> None:
    out, err, ended = ran(captured(shell("cat; echo two >&2", stdin=b"given")))
    assert (out, err, ended.code) == (b"given", b"two\n", 0)


def test_what_cannot_be_started_is_an_end_like_any_other_and_raised_by_start() -> None:
    nothing = Launch(("/no/such/program",), "/", ENV)
    assert ran(captured(nothing))[2].failure == "No such file or directory"

    async def play() -> None:
        with pytest.raises(FileNotFoundError):
            Process.start(nothing)

    ran(play())


@both
def test_megabytes_go_in_and_come_out(kind: type[Process]) -> None:
    content = bytes(range(256)) * 20_000

    async def play() -> bytes:
        async with kind.start(Launch(("cat",), "/", ENV, PLENTY, stdin=OPEN)) as process:
            process.write(content)
            process.close_input()
            return b"".join([chunk async for _, chunk in process])

    assert ran(play()) == content


@both
def test_a_program_waits_while_nobody_reads(kind: type[Process], tmp_path: Path) -> None:
    line = f"for i in 1 2 3 4 5 6 7 8; do head -c 1000000 /dev/zero; echo $i > {tmp_path}/n; done"

    async def play() -> int:
        async with kind.start(shell(line)) as process:
            await pids_in(tmp_path / "n", 1)
            before = 0
            while before != (before := int((tmp_path / "n").read_text() or before)):
                await asyncio.sleep(0.3)
            assert before < 8, "it should have been stopped by full pipes"
            return sum([len(chunk) async for _, chunk in process])

    assert ran(play()) == 8_000_000


@both
def test_whoever_writes_more_than_is_read_has_to_wait(kind: type[Process], tmp_path: Path) -> None:
    begins = tmp_path / "begins"
    waits = f"while [ ! -e {begins} ]; do sleep 0.02; done"

    async def play() -> None:
        launch = shell(f"{waits}; head -c 3000000 >/dev/null; echo done; cat", stdin=OPEN)
        async with kind.start(launch) as process:
            process.write(b"x" * 3_000_000)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await process.drain()
            begins.touch()
            await process.drain()
            assert await anext(process) == (OUT, b"done\n")

    ran(play())


async def write_for_ever(process: Process) -> None:
    while True:
        process.write(b"x" * 1000)
        await process.drain()
        await asyncio.sleep(0.01)


@both
def test_writing_to_a_program_that_has_gone_is_said(kind: type[Process]) -> None:
    async def play() -> None:
        async with kind.start(shell("exec <&-; echo closed; sleep 20", stdin=OPEN)) as process:
            await anext(process)
            with pytest.raises(BrokenPipeError):
                await write_for_ever(process)

    ran(play())


def test_a_program_may_have_a_terminal() -> None:
    launch = shell("tty >/dev/null && stty size; read x; echo got $x", terminal=Terminal(33, 99))

    async def play() -> bytes:
        async with Process.start(launch) as process:
            process.write(b"keys\n")
            return b"".join([chunk async for _, chunk in process])

    shown = ran(play())
    assert b"33 99\r\n" in shown
    assert shown.endswith(b"got keys\r\n")


# Limits


@both
def test_time_and_output_are_limited(kind: type[Process]) -> None:
    async def play(launch: Launch) -> tuple[int, Ended]:
        async with kind.start(launch) as process:
            return sum([len(chunk) async for _, chunk in process]), await process.wait()

    _, late = ran(play(shell("trap '' TERM; echo up; while :; do sleep 0.05; done", Limits(seconds=0.2, grace=0.2))))
    assert (late.reason, late.signal) == (TIMEOUT, "SIGKILL")
    written, cut = ran(play(Launch(("yes",), "/", ENV, Limits(output=100_001))))
    assert (written, cut.reason) == (100_001, TOO_MUCH_OUTPUT)


@on_linux
def test_processes_are_counted() -> None:
    line = "i=0; while [ $i -lt 30 ]; do sleep 20 & i=$((i+1)); done; wait"
    ended = ran(run(shell(line, Limits(processes=10, seconds=15)), lambda _name, _chunk: None))
    assert ended.reason == TOO_MANY_PROCESSES


def test_waiting_for_the_end_drops_what_nobody_reads() -> None:
    async def play() -> Ended:
        async with Process.start(Launch(("head", "-c", "9000000", "/dev/zero"), "/", ENV, PLENTY)) as process:
            return await process.wait()

    assert ran(play()).code == 0


# Ends

FAMILY = "trap '' TERM; (trap '' TERM; sleep 30) & echo $$ $! > {file}; wait; sleep 30"


@both
def test_leaving_the_block_ends_everything(kind: type[Process], tmp_path: Path) -> None:
    async def play() -> list[int]:
        async with kind.start(shell(FAMILY.format(file=tmp_path / "pids"), Limits(grace=0.1))):
            return await pids_in(tmp_path / "pids", 2)

    assert all_gone(ran(play()))


@both
def test_cancelling_ends_everything_and_is_passed_on(kind: type[Process], tmp_path: Path) -> None:
    async def play() -> list[int]:
        async def follow() -> None:
            async with kind.start(shell(FAMILY.format(file=tmp_path / "pids"), Limits(grace=0.1))) as process:
                await process.wait()

        task = asyncio.create_task(follow())
        pids = await pids_in(tmp_path / "pids", 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not any(map(is_alive, pids))
        return pids

    ran(play())


def test_cancelling_twice_leaves_no_time_for_grace(tmp_path: Path) -> None:
    async def play() -> list[int]:
        task = asyncio.create_task(captured(shell(FAMILY.format(file=tmp_path / "pids"), Limits(grace=60))))
        pids = await pids_in(tmp_path / "pids", 2)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pids

    started = monotonic()
    assert all_gone(ran(play()))
    assert monotonic() - started < 10


def test_a_task_that_is_cancelled_as_it_starts_leaves_nothing(tmp_path: Path) -> None:
    """A start does not wait, so there is no moment in which it could be cancelled halfway."""

    async def play() -> None:
        for _ in range(20):
            task = asyncio.create_task(captured(shell(f"echo $$ >> {tmp_path}/pids; exec sleep 30", Limits(grace=5))))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()

    ran(play())
    assert all_gone([int(word) for word in (tmp_path / "pids").read_text().split()] if _exists(tmp_path) else [])
    assert _children() == []


def _exists(folder: Path) -> bool:
    return (folder / "pids").exists()


def _children() -> list[str]:
    """Our own, zombies included, but for the one that lists them and those of other tests that stay till the end."""
    command = ["ps", "-A", "-ww", "-o", "ppid=,stat=,args="]
    listed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    own = [args for parent, _, args in rows if int(parent) == os.getpid() and not args.startswith("ps ")]
    return [args for args in own if "multiprocessing" not in args and "warm_shell.py" not in args]


def test_a_loop_that_ends_kills_what_is_left(tmp_path: Path) -> None:
    processes: list[Process] = []

    async def play() -> list[int]:
        processes.append(Process.start(shell(FAMILY.format(file=tmp_path / "pids"), Limits(grace=60))))
        return await pids_in(tmp_path / "pids", 2)

    started = monotonic()
    assert all_gone(ran(play()))
    assert monotonic() - started < 10


@both
def test_what_the_sink_raises_ends_the_program_and_is_raised(kind: type[Process], tmp_path: Path) -> None:
    def sink(_name: str, _chunk: bytes) -> None:
        raise ValueError("of the reader")

    async def play() -> None:
        line = f"sleep 30 & echo $$ $! > {tmp_path}/pids; echo go; wait"
        async with kind.start(shell(line, Limits(grace=0.1)), sink) as process:
            with pytest.raises(ValueError, match="of the reader"):
                await process.wait()

    ran(play())
    assert all_gone([int(word) for word in (tmp_path / "pids").read_text().split()])


@both
def test_a_program_may_leave_by_itself_when_its_input_ends(kind: type[Process]) -> None:
    said: list[bytes] = []

    async def play() -> Ended:
        process = kind.start(shell("cat; echo bye; exit 4", stdin=OPEN), lambda _name, chunk: said.append(chunk))
        process.write(b"hello\n")
        await process.close(patience=10)
        return await process.wait()

    assert ran(play()).code == 4
    assert b"".join(said) == b"hello\nbye\n"


@both
def test_a_killed_program_has_the_reason_in_its_end(kind: type[Process]) -> None:
    async def play() -> tuple[Ended, Ended]:
        ends: list[Ended] = []
        async with kind.start(shell("trap '' TERM; echo up; sleep 30", Limits(grace=60))) as process:
            process.when_over(ends.append)
            await anext(process)
            process.kill("gave no sign of life")
            return await process.wait(), ends[0]

    ended, noted = ran(play())
    assert ended == noted
    assert (ended.reason, ended.signal) == ("gave no sign of life", "SIGKILL")
    assert ended.seconds < 10


def test_a_child_that_holds_the_pipe_is_not_waited_for(tmp_path: Path) -> None:
    out, _, ended = ran(captured(shell(f"sleep 30 & echo $! > {tmp_path}/pids; echo done", Limits(grace=0.1))))
    assert (out, ended.code, ended.reason) == (b"done\n", 0, "")
    assert ended.seconds < 5
    assert all_gone([int((tmp_path / "pids").read_text())])


# Embedded


def test_no_descriptor_zombie_or_watcher_is_left() -> None:
    before = len(os.listdir("/dev/fd"))
    for launch in (shell("echo x"), shell("sleep 9", Limits(seconds=0.06)), Launch(("/no",), "/", ENV)):
        ran(captured(launch))
    assert len(os.listdir("/dev/fd")) == before
    assert _children() == []


def _globals() -> dict[str, Any]:
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of 3.14, which still has it
        policy = asyncio.get_event_loop_policy()
    watcher = getattr(policy, "_watcher", None)  # asking for it would make one
    streams = (sys.stdin, sys.stdout, sys.stderr, sys.excepthook, threading.excepthook, signal.getitimer(0))
    return {"handlers": handlers, "policy": policy, "watcher": watcher, "streams": streams, "cwd": os.getcwd()}


def test_nothing_global_is_touched_while_programs_run() -> None:
    before = _globals()
    wakeups: list[int] = []

    async def play() -> None:
        inside = _globals()  # what the loop itself changed is not ours
        wakeups.append(signal.set_wakeup_fd(-1))
        signal.set_wakeup_fd(wakeups[0])
        async with Process.start(shell("echo up; cat", stdin=OPEN)) as process:
            await anext(process)
            assert _globals() == inside
            wakeups.append(signal.set_wakeup_fd(-1))
            signal.set_wakeup_fd(wakeups[0])
        assert _globals() == inside

    ran(play())
    assert wakeups[0] == wakeups[1]
    assert _globals() == before


def test_nothing_global_is_touched_by_the_one_that_waits_either() -> None:
    before, during = _globals(), []
    run_and_wait(shell("echo one"), lambda _name, _chunk: during.append(_globals()))
    assert [before, *during] == [_globals()] * 2


def test_two_loops_in_two_threads_follow_programs_at_once() -> None:
    together = threading.Barrier(2, timeout=10)
    ends: list[Any] = []

    def in_thread(word: str) -> None:
        async def play() -> tuple[bytes, int | None]:
            async with Process.start(shell("read x; echo $x; exit 5", stdin=OPEN)) as process:
                together.wait()
                process.write(word.encode() + b"\n")
                said = b"".join([chunk async for _, chunk in process])
                return said, (await process.wait()).code

        ends.append(ran(play()))

    threads = [threading.Thread(target=in_thread, args=(word,)) for word in ("one", "two")]
    _joined(threads)
    assert sorted(ends) == [(b"one\n", 5), (b"two\n", 5)]


def _joined(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)


def test_many_run_at_once() -> None:
    async def play() -> list[bytes]:
        launches = [shell(f"sleep 0.1; echo {number}") for number in range(30)]
        return [out for out, _, _ in await asyncio.gather(*map(captured, launches))]

    assert ran(play()) == [b"%d\n" % number for number in range(30)]


def test_a_program_that_does_nothing_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit that has to be checked nobody wakes up: a server may stay for days."""
    looks = 0

    def counted(act: Callable[[], Any]) -> Any:
        nonlocal looks
        looks += 1
        return act()

    async def play() -> None:
        async with Process.start(shell("read x", Limits(processes=0), stdin=OPEN)) as process:
            await asyncio.sleep(0.05)
            loop = asyncio.get_running_loop()
            earlier = loop.time
            with monkeypatch.context() as patched:
                patched.setattr(loop, "time", lambda: counted(earlier))
                await asyncio.sleep(0.25)
            process.kill(STOPPED)

    ran(play())
    assert looks < 5


@both
def test_a_program_that_closes_its_output_and_lives_on_is_noticed(kind: type[Process]) -> None:
    async def play() -> list[Any]:
        async with kind.start(shell("echo said; exec >&-; echo error >&2; sleep 30")) as process:
            came = []
            while (chunk := await process.next_chunk(OUT)) is not None:
                came.append(chunk)
            assert not process.is_over
            return came

    assert (OUT, b"said\n") in ran(play())

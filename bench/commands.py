"""What following a program costs over the bare program: CPU per start, time for 100 MB, memory for a gigabyte.

The bare program writes into a reader that throws everything away. Both take turns, as everywhere in this folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.measure import Failed
from bench.result import Outcome, Result, Skipped
from pisces.processes.clean import Cleaner
from pisces.processes.launch import Launch
from pisces.processes.run import run

MOST_CPU = 5.0  # milliseconds over the bare program
MOST_WALL = 1.1
MEGABYTE = 1_000_000
LINES = "line = 'tests/test_one.py::test_something_that_has_a_long_name passed in 12 ms\\n'\n"
WRITER = LINES + "import sys\nfor _ in range({megabytes} * 1_000_000 // len(line)):\n    sys.stdout.write(line)\n"
MEMORY = """
import resource, sys
from pisces.processes.launch import Launch
from pisces.processes.run import run
argv = ("head", "-c", sys.argv[1], "/dev/zero")
assert run(Launch(argv, "/", {"PATH": sys.argv[2]}), lambda name, chunk: None).code == 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

Measured = Callable[[], None]


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if os.name != "posix":
        yield Skipped("commands", "needs head and /dev/zero")
        return
    env = {"PATH": os.environ.get("PATH", os.defpath)}
    yield _start(Launch(("true",), str(folder), env), max(rounds, 21))
    few = max(9, rounds // 2)
    writer = Launch((sys.executable, "-I", "-c", WRITER.format(megabytes=100)), str(folder), env)
    yield _streaming("100 MB of lines, followed", writer, _followed, few)
    yield _streaming("100 MB of lines, followed and cleaned", writer, _cleaned, few)
    fastest = Launch(("head", "-c", str(100 * MEGABYTE), "/dev/zero"), str(folder), env)
    # At two gigabytes a second only copying is left: this one may well be over, and says so.
    yield _streaming("100 MB of zeros, followed", fastest, _followed, rounds)
    yield _memory(env["PATH"])


def _start(launch: Launch, rounds: int) -> Result:
    """CPU of this process alone: that of the program is not counted."""
    pairs = [(_cpu(lambda: _bare(launch)), _cpu(lambda: _followed(launch))) for _ in range(rounds)]
    theirs, ours = (median(column) for column in zip(*pairs, strict=True))
    over = median(ours - theirs for theirs, ours in pairs)
    return Result("CPU over a bare start", f"{MOST_CPU:g} ms", theirs, ours, "cpu", over / MOST_CPU, at_most=1)


def _streaming(what: str, launch: Launch, follow: Callable[[Launch], None], rounds: int) -> Result:
    pairs = [(_wall(lambda: _bare(launch)), _wall(lambda: follow(launch))) for _ in range(rounds)]
    theirs, ours = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(ours / theirs for theirs, ours in pairs)
    return Result(what, "the bare program", theirs, ours, "wall", ratio, at_most=MOST_WALL)


def _memory(path: str) -> Result:
    little, much = (_peak(size * MEGABYTE, path) for size in (1, 1000))
    return Result("memory for 1 GB of output", "1 MB of output", little, much, "memory", much / little, at_most=1.1)


def _peak(size: int, path: str) -> float:
    command = [sys.executable, "-c", MEMORY, str(size), path]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode:
        raise Failed(done.stderr.strip().splitlines()[-1])
    return int(done.stdout) / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _bare(launch: Launch) -> None:
    child = subprocess.Popen(launch.argv, cwd=launch.cwd, env=launch.env, stdout=subprocess.PIPE, bufsize=0)
    with child:
        assert child.stdout is not None
        while os.read(child.stdout.fileno(), 1 << 16):
            pass


def _followed(launch: Launch) -> None:
    if run(launch, lambda _name, _chunk: None).code != 0:
        raise Failed(f"{launch.argv[0]} failed")


def _cleaned(launch: Launch) -> None:
    cleaner = Cleaner()

    def sink(_name: str, chunk: bytes) -> None:
        cleaner.clean(chunk)

    if run(launch, sink).code != 0:
        raise Failed(f"{launch.argv[0]} failed")


def _cpu(measured: Measured) -> float:
    started = time.process_time()
    measured()
    return (time.process_time() - started) * 1000


def _wall(measured: Measured) -> float:
    started = time.perf_counter()
    measured()
    return (time.perf_counter() - started) * 1000

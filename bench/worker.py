"""A call of a long-lived worker against a fresh start of the same Python program: ten times as fast, or what for."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.measure import PYTHON, Failed
from bench.result import Outcome, Result, Skipped
from pisces.commands.programs.worker import Workers
from pisces.processes.ended import Ended
from pisces.processes.launch import Launch
from pisces.processes.run import run

WHAT = "a worker's call"
LIMIT = 10.0
GUIDE = Path(__file__).resolve().parents[1] / "docs" / "guides" / "workers.md"


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    """The program is the one of the guide, which imports nothing but `json` and `sys`: most start much slower."""
    if os.name == "nt":
        yield Skipped(WHAT, "on Windows no workers are kept")
        return
    tool = folder / "hello"
    script = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
    tool.write_text(f"#!{PYTHON}\n{script}")
    tool.chmod(0o755)
    launch = Launch((str(tool), "you"), str(folder), {"PATH": os.environ["PATH"]})
    with Workers() as workers:
        taken = [_milliseconds(lambda: workers.call(launch, ("you",), _drop))]  # the first call starts it
        pairs = [_pair(workers, launch) for _ in range(rounds)]
    starts, calls = ([pair[side] for pair in pairs] for side in (0, 1))
    ratio = median(start / call for start, call in pairs)
    names = WHAT, f"a fresh start (its own took {taken[0]:.0f} ms)"
    yield Result(*names, median(starts), median(calls), "wall", ratio, at_least=LIMIT)


def _pair(workers: Workers, launch: Launch) -> tuple[float, float]:
    start = _milliseconds(lambda: run(launch, _drop))
    return start, _milliseconds(lambda: workers.call(launch, ("you",), _drop))


def _milliseconds(act: Callable[[], Ended]) -> float:
    started = time.perf_counter()
    ended = act()
    if ended.code != 0:
        raise Failed(f"{WHAT}: {ended}")
    return (time.perf_counter() - started) * 1000


def _drop(_name: str, _chunk: bytes) -> None:
    return

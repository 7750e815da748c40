"""What a command costs: CPU time, memory and time on the clock of one child process, many times over.

Commands that are compared take turns (A B A B ...), so that a busy machine disturbs all of them alike, and each round
gives a ratio of its own; the median of those is what counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

PYTHON = sys.executable  # in a virtual environment, hence never a shim that looks for the real one
ENTRY = "import sys; from pisces.__main__ import main; sys.exit(main())"  # what the installed `pisces` does

# What a child sees of this process's environment. Not PYTHON...: without its compiled files, or with output that is not
# buffered, Python is another program.
_PASSED_ON = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR")


class Failed(Exception):
    """A command that is to be measured does not work."""


@dataclass(frozen=True)
class Subject:
    """A command line, and the home and working folder to run it in."""

    name: str
    command: tuple[str, ...]
    home: Path
    cwd: Path
    env: tuple[tuple[str, str], ...] = ()
    exit_codes: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Cost:
    cpu: float  # milliseconds, user and system, of the child and of the children that it waited for
    memory: float  # megabytes at the highest; never less than what this process uses
    wall: float  # milliseconds

    def of(self, unit: str) -> float:
        return {"cpu": self.cpu, "memory": self.memory, "wall": self.wall}[unit]


def pisces(*words: str) -> tuple[str, ...]:
    return (PYTHON, "-c", ENTRY, *words)


def cost_of(subject: Subject) -> Cost:
    if sys.platform == "win32":
        raise Failed("Windows does not say what a child has cost")
    started = time.perf_counter()
    child = subprocess.Popen(
        subject.command,
        cwd=subject.cwd,
        env=environment_of(subject),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in subject.exit_codes:
        raise Failed(f"{subject.name}: exit code {child.returncode}")
    memory = used.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    return Cost((used.ru_utime + used.ru_stime) * 1000, memory, wall * 1000)


def in_turns(subjects: Sequence[Subject], rounds: int) -> list[list[Cost]]:
    """The costs of each subject, round by round, after one run that proves that it works and warms the caches."""
    for subject in subjects:
        _prove(subject)
    taken = [[cost_of(subject) for subject in subjects] for _ in range(rounds)]
    return [list(costs) for costs in zip(*taken, strict=True)]


def _prove(subject: Subject) -> None:
    done = subprocess.run(
        subject.command, cwd=subject.cwd, env=environment_of(subject), stdin=subprocess.DEVNULL, capture_output=True
    )
    if done.returncode not in subject.exit_codes or b"Traceback" in done.stderr:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Failed(f"{subject.name}: exit code {done.returncode}: {said[-1] if said else 'it said nothing'}")


def typical(costs: Sequence[Cost], unit: str) -> float:
    return median(cost.of(unit) for cost in costs)


def ratio(these: Sequence[Cost], to_those: Sequence[Cost], unit: str) -> float:
    """How many times as much, round by round; the median."""
    return median(a.of(unit) / b.of(unit) for a, b in zip(these, to_those, strict=True))


def environment_of(subject: Subject) -> dict[str, str]:
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    home = str(subject.home)
    return {**passed_on, "HOME": home, "USERPROFILE": home, "NO_COLOR": "1", **dict(subject.env)}

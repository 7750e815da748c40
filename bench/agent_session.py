"""What a session of our own agent costs in its own process: a tool call without its program, and a thousand turns.

The model follows a script, so all that is measured is ours: loop, gates, events, transcript, compaction.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from bench.measure import PYTHON, Failed, Subject, environment_of
from bench.result import Outcome, Result, Skipped

MOST_OWN = 2.0  # ms
MOST_GROWTH = 1.1
MOST_LATE = 1.5  # of the cost of an early turn
TURNS, EVERY = 1000, 100
FEW, MANY, SHORT = 1, 11, 200
# Each line has the model read a file so many times and then say something. The window is full every few dozen lines,
# and then it is compacted.
PROGRAM = """
import asyncio, json, sys, time
from pisces.models.scripted import FACTS, ScriptedModel
from pisces.places import places_here
from pisces.session.options import SessionOptions
from pisces.session.session import open_session
from pisces.shapes.message import CallPart, ResultPart
from pisces.ui.quiet_ui import QuietUi

LINES, EVERY, CALLS = map(int, sys.argv[1:])

def turns():
    number = left = 0
    def answer(ask):
        nonlocal left
        if not ask.tools:
            return "A summary of what was said."
        if not any(isinstance(part, ResultPart) for part in ask.messages[-1].parts):
            left = CALLS
        left -= 1
        if left >= 0:
            return (CallPart(f"c{number}", "read", {"path": "a.txt", "limit": 20 + left}),)
        return f"Answer {number}. " + "Some words of it. " * 40
    while True:
        number += 1
        yield answer

async def nobody(_question, _answers):
    return None

def size():
    with open("/proc/self/status") as status:
        return int(dict(line.split(":", 1) for line in status)["VmRSS"].split()[0])

async def main():
    model = ScriptedModel(turns(), facts=FACTS.replace(window=20_000))
    options = SessionOptions(lambda *_: True, nobody, QuietUi(lambda _text: None), model)
    found = []
    async with open_session(places_here(), options) as session:
        for number in range(1, LINES + 1):
            await session.submit(f"please read it, {number}")
            model.asked.clear()
            if number % EVERY == 0:
                found.append((size(), time.process_time()))
    print(json.dumps(found))

asyncio.run(main())
"""


def compare(folder: Path, _rounds: int) -> Iterator[Outcome]:
    if sys.platform != "linux":
        yield Skipped("a session of a thousand turns", "the size of a process is read from /proc")
        return
    yield _call(folder)
    found = _run(folder / "long", TURNS, EVERY, FEW)
    sizes, costs = [size for size, _ in found], [cost for _, cost in found[1:]]
    early, late = min(costs[:3]), min(costs[-3:])
    names = f"a line after {TURNS} of them", "an early one"
    yield Result(*names, early, late, "cpu", late / early, at_most=MOST_LATE)
    middle = sizes[len(sizes) // 2 - 1]
    names = f"memory after {TURNS} lines", f"after {TURNS // 2}"
    yield Result(*names, middle, sizes[-1], "memory", sizes[-1] / middle, at_most=MOST_GROWTH)


def _call(folder: Path) -> Result:
    """What each further call adds to a line: the call, its gates and events, and the request with its result."""
    runs = (_run(folder / f"{calls}", SHORT, SHORT // 10, calls) for calls in (FEW, MANY))
    few, many = (min(cost for _, cost in found) for found in runs)
    own = (many - few) / (MANY - FEW)
    names = "a call of a tool, our own part", f"{MOST_OWN:g} ms"
    return Result(*names, MOST_OWN, own, "cpu", own / MOST_OWN, at_most=1.0)


def _run(folder: Path, lines: int, every: int, calls: int) -> list[tuple[float, float]]:
    """After every so many lines: megabytes, and the milliseconds that one of them took."""
    work = folder / "work"
    work.mkdir(parents=True)
    (work / "a.txt").write_text("".join(f"line {number} of a file\n" for number in range(20)), encoding="utf-8")
    subject = Subject(
        "a session of many turns", (PYTHON, "-c", PROGRAM, *map(str, (lines, every, calls))), folder, work
    )
    env = {**environment_of(subject), "REMOTE_CONTAINERS": "1", "TMPDIR": os.fspath(folder)}
    done = subprocess.run(subject.command, cwd=work, env=env, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Failed(f"{subject.name}: {done.stderr.strip().splitlines()[-1:]}")
    found = json.loads(done.stdout)
    times = [0.0, *(time for _, time in found)]
    costs = [(after - before) * 1000 / every for before, after in pairwise(times)]
    return [(size / 1024, cost) for (size, _), cost in zip(found, costs, strict=True)]

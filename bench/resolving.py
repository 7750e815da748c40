"""Finding one of 5,000 commands, and the whole of an executable command before its program starts, in milliseconds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.result import Outcome, Result
from pisces.commands.names.catalog import Catalog, catalog
from pisces.commands.names.resolve import resolve
from pisces.commands.programs.executable import Call, ready
from pisces.places import Places
from pisces.processes.launch import Launch
from pisces.processes.run import run
from pisces.shapes.request import Request
from pisces.shapes.verdict import ALLOW, Judged, Verdict

COMMANDS = 5_000
MOST_RESOLVING = 1.0  # ms
MOST_OVERHEAD = 5.0  # ms of CPU


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    places = _workspace(folder)
    loaded = catalog(places, folders=[str(folder / "box")])
    names = f"one of {len(loaded.entries):,} commands", "a limit of 1 ms"
    taken = median(_milliseconds(lambda: resolve("/group-7:name-4977 x", loaded), time.perf_counter, rounds))
    yield Result(*names, MOST_RESOLVING, taken, "wall", taken / MOST_RESOLVING, at_most=1)
    launched = _launch(loaded, places)
    bare = median(_milliseconds(lambda: run(launched, _drop), time.process_time, rounds))
    whole = median(_milliseconds(lambda: _called(loaded, places), time.process_time, rounds))
    extra = whole - bare
    names = "checks, gate and settings of /tool", "a limit of 5 ms of CPU, beside starting it"
    yield Result(*names, MOST_OVERHEAD, extra, "cpu", extra / MOST_OVERHEAD, at_most=1)


def _workspace(folder: Path) -> Places:
    for index in range(COMMANDS):
        path = folder / "project" / ".gemini" / "commands" / f"group-{index % 70}" / f"name-{index}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('prompt = "x"')
    box = folder / "box"
    box.mkdir()
    tool = {"type": "executable", "binary": "${extensionPath}/tool"}
    (box / "gemini-extension.json").write_text(
        json.dumps({"name": "box", "version": "1.0.0", "commands": {"tool": tool}})
    )
    (box / "tool").write_text("#!/bin/sh\n:\n")
    (box / "tool").chmod(0o755)
    return Places(str(folder / "home"), str(folder / "project"), {"PATH": "/usr/bin:/bin"})


def _called(loaded: Catalog, places: Places) -> None:
    with ready(Call(resolve("/tool a b", loaded), places, _allowed)) as made:
        run(made.launch, _drop)


def _launch(loaded: Catalog, places: Places) -> Launch:
    with ready(Call(resolve("/tool a b", loaded), places, _allowed)) as made:
        return made.launch.replace(descriptor=-1)


def _milliseconds(act: Callable[[], object], clock: Callable[[], float], rounds: int) -> list[float]:
    taken = []
    for _ in range(rounds):
        started = clock()
        act()
        taken.append((clock() - started) * 1000)
    return taken


def _allowed(request: Request) -> Judged:
    return Judged(request, Verdict(ALLOW))


def _drop(_name: str, _chunk: bytes) -> None:
    return

"""`pisces extensions list` against omp's own loader under bun, end to end: it should not be slower."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench import peers
from bench.measure import Subject, in_turns, pisces
from bench.result import Outcome, Skipped, at_least
from bench.workspaces import home_with

LOADER = Path(__file__).with_name("omp_loader.mjs")
WHAT = "extensions list, 1000"


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    bun, package = peers.bun(), peers.package("@oh-my-pi/pi-coding-agent")
    if bun is None or package is None:
        yield Skipped(f"{WHAT}, against omp", "needs bun and @oh-my-pi/pi-coding-agent in PISCES_PEERS")
        return
    cwd = folder / "project"
    cwd.mkdir()
    home = home_with(1000, folder / "home")
    theirs = Subject("omp's loader", (bun, str(LOADER), str(package)), home, cwd)
    ours = Subject("extensions list", pisces("extensions", "list"), home, cwd)
    peer, listed = in_turns([theirs, ours], max(3, rounds // 3))
    for unit, name in (("wall", "time"), ("cpu", "CPU"), ("memory", "memory")):
        yield at_least(1, (f"{WHAT}, {name}", "omp's loader (bun)"), unit, listed, peer)

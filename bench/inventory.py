"""`pisces list`, all kinds, of 1000 packages: against a bare scan of every file that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.floors import EVERYTHING, bare_scan
from bench.measure import Subject, in_turns, pisces
from bench.result import Outcome, at_most
from bench.workspaces import home_with


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    cwd = folder / "project"
    cwd.mkdir()
    home = home_with(1000, folder / "home")
    ours = Subject("list", pisces("list"), home, cwd)
    bare, listed = in_turns([bare_scan(EVERYTHING, home, cwd), ours], max(3, rounds // 3))
    yield at_most(5, ("list (full inventory), 1000", "scandir and read"), listed, bare)

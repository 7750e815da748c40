"""A whole workspace: 300 packages, every harness set up, a project of 100,000 files. And how the cost grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.house.full_world import full_world

from bench.measure import Subject, in_turns, pisces, typical
from bench.result import Outcome, Result, at_most
from bench.workspaces import home_with

PACKAGES, FILES, IN_A_FOLDER = 300, 100_000, 500
ONE_SECOND = 1000.0
_FEW_ROUNDS = 5


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    home, project = _workspace(folder / "whole", PACKAGES, FILES)
    rounds = min(rounds, _FEW_ROUNDS)
    packages = Subject("extensions list", pisces("extensions", "list"), home, project)
    everything = Subject("list", pisces("list"), home, project)
    doctor = Subject("doctor", pisces("doctor"), home, project, exit_codes=(0, 1))
    few, many, checked = in_turns([packages, everything, doctor], rounds)
    yield at_most(5, (f"list, {PACKAGES} packages, {FILES:,} files, every harness", "extensions list"), many, few)
    cpu = typical(checked, "cpu")
    yield Result("doctor, the same", "one second of CPU", ONE_SECOND, cpu, "cpu", cpu / ONE_SECOND, at_most=1)
    yield from _growth(folder, rounds)


def _growth(folder: Path, rounds: int) -> Iterator[Outcome]:
    """Twice the packages cost at most twice as much, and a little for the measure."""
    sizes = (150, 300, 600)
    subjects = []
    for size in sizes:
        home, project = _workspace(folder / f"grown-{size}", size, 10)
        subjects.append(Subject(f"list, {size}", pisces("list"), home, project))
    costs = in_turns(subjects, rounds)
    for size, small, large in zip(sizes[1:], costs, costs[1:], strict=False):
        yield at_most(2.2, (f"list, {size} packages", f"list, {size // 2} packages"), large, small)


def _workspace(folder: Path, packages: int, files: int) -> tuple[Path, Path]:
    home, project = folder / "home", folder / "project"
    project.mkdir(parents=True)
    home_with(packages, home)
    full_world(home, project)
    for number in range(files):
        if number % IN_A_FOLDER == 0:
            inside = project / "src" / str(number // IN_A_FOLDER)
            inside.mkdir(parents=True)
        (inside / f"{number}.py").touch()
    return home, project

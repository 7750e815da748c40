"""`pisces extensions list`: a few extensions against a bare start, many against a bare scan of their manifests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.house.full_world import full_world

from bench.floors import INSTALLED, MANIFESTS, bare_scan, bare_start
from bench.measure import PYTHON, Subject, in_turns, pisces
from bench.result import Outcome, at_most
from bench.workspaces import home_with, home_with_installed

LIST = ("extensions", "list")


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    cwd = folder / "project"
    cwd.mkdir()
    few, many = home_with(10, folder / "few"), home_with(1000, folder / "many")
    ours = Subject("extensions list", pisces(*LIST), few, cwd)
    module = Subject("python -m pisces", (PYTHON, "-m", "pisces", *LIST), few, cwd)
    bare, listed, as_module = in_turns([bare_start(few, cwd), ours, module], rounds * 2)
    yield at_most(2.2, ("extensions list, 10", "python -c pass"), listed, bare)
    yield at_most(3, ("python -m pisces extensions list, 10", "python -c pass"), as_module, bare)
    full = folder / "full"
    (full / "code").mkdir(parents=True)
    full_world(full, full / "code")
    ours = Subject("extensions list", pisces(*LIST), full, full / "code")
    bare, listed = in_turns([bare_start(full, cwd), ours], rounds)
    yield at_most(3, ("extensions list, something of every harness", "python -c pass"), listed, bare)
    ours = Subject("extensions list", pisces(*LIST), many, cwd)
    bare, listed = in_turns([bare_scan(MANIFESTS, many, cwd), ours], rounds)
    yield at_most(2, ("extensions list, 1000", "scandir and read"), listed, bare)
    store = home_with_installed(200, folder / "store")
    ours = Subject("extensions list", pisces(*LIST), store, cwd)
    bare, listed = in_turns([bare_scan(INSTALLED, store, cwd), ours], rounds)
    yield at_most(3, ("extensions list, 200 installed", "scandir and read"), listed, bare)

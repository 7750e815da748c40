"""`pisces extensions list` against `gemini extensions list`, 300 extensions: CPU and memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench import peers
from bench.measure import Subject, in_turns, pisces
from bench.result import Outcome, Skipped, at_least
from bench.workspaces import home_with

WHAT = "extensions list, 300"
# Otherwise it starts itself a second time, with more memory: that would count against it.
_NO_RELAUNCH = (("GEMINI_CLI_NO_RELAUNCH", "true"),)


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    node, package = peers.program("node"), peers.package("@google/gemini-cli")
    if node is None or package is None:
        yield Skipped(f"{WHAT}, against gemini", "needs node and @google/gemini-cli in PISCES_PEERS")
        return
    cwd = folder / "project"
    cwd.mkdir()
    home = home_with(300, folder / "home")
    command = (node, str(package / "bundle" / "gemini.js"), "extensions", "list")
    theirs = Subject("gemini extensions list", command, home, cwd, _NO_RELAUNCH)
    ours = Subject("extensions list", pisces("extensions", "list"), home, cwd)
    peer, listed = in_turns([theirs, ours], max(3, rounds // 3))
    yield at_least(20, (WHAT, "gemini extensions list"), "cpu", listed, peer)
    yield at_least(5, (f"{WHAT}, memory", "gemini extensions list"), "memory", listed, peer)

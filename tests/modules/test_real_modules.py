"""Modules that others wrote load and register here, unmodified: those that pi ships, always; those of public npm
packages where they are installed (`scripts/soak` does that).

`real_packages.txt` pins the packages. Loading is all that happens to them, and only in a cage: see `caged`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from pisces.diagnostics import Diagnostic
from pisces.modules.entries import named_entries
from pisces.modules.loaded_module import LoadedModule
from pisces.places import Places
from pisces.shapes.event import Event
from pisces.shapes.events import (
    AgentEnd,
    AgentStart,
    BeforeAgentStart,
    BeforeProviderRequest,
    Context,
    Input,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    ModelSelect,
    ResourcesDiscover,
    SessionBeforeSwitch,
    SessionTree,
    ToolCall,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from pisces.value import Value
from tests.modules.caged import PEERS, Cage, cage, example, session_in

PINNED = Path(__file__).with_name("real_packages.txt")
INSTALLED = PEERS / "real" / "node_modules"
WANTED = "PISCES_REAL_MODULES"
ENOUGH = 0.9
TOGETHER = 50  # modules that share a process

HOST = re.compile(r"^(?:@(?:oh-my-pi|mariozechner|earendil-works)/|typebox\b|@sinclair/typebox\b)")
MISSING = re.compile(r"Cannot find (?:package|module) ['\"]([^'\"]+)['\"]")
KINDS = ("tools", "commands", "shortcuts", "flags", "renderers", "providers")


class Outcome(Value):
    """What became of one entry: what it registered, in words, or why it did not load."""

    package: str
    path: str
    registered: str = ""
    error: str = ""

    @property
    def lacks(self) -> str:
        """The npm package that it needs and that is not installed; never one that we should have brought."""
        found = MISSING.search(self.error)
        return found[1] if found and not found[1].startswith((".", "/")) and not HOST.match(found[1]) else ""


@pytest.fixture(scope="module")
def made() -> Iterator[Cage]:
    with cage() as each:
        yield each


def entries_of(made: Cage, folder: Path) -> list[str]:
    places = Places(str(made.home), str(made.work), made.env)
    return [entry.path for entry in named_entries(places, [str(folder)]).entries]


def outcomes(made: Cage, entries: Iterable[tuple[str, str]]) -> list[Outcome]:
    """Of packages and their entries, loaded together as a user has them; each is told that a session has started."""
    every = list(entries)
    loaded: dict[str, LoadedModule] = {}
    errors: dict[str, Diagnostic] = {}

    async def load(paths: list[str]) -> None:
        async with asyncio.timeout(240), session_in(made, paths) as session:
            loaded.update({each.path: each for each in session.runner.modules})
            errors.update({each.about or each.path: each for each in session.not_loaded})

    for at in range(0, len(every), TOGETHER):
        asyncio.run(load([path for _, path in every[at : at + TOGETHER]]))
    return [
        Outcome(package, path, _registered(loaded[path]))
        if path in loaded
        else Outcome(package, path, error=errors[path].message if path in errors else "was never heard of")
        for package, path in every
    ]


def _registered(extension: LoadedModule) -> str:
    counts = {"events": len({each.event for each in extension.handlers})}
    counts |= {kind: len(getattr(extension, kind)) for kind in KINDS}
    return ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)


def _share(found: Iterable[Outcome]) -> float:
    """Of those that have what they need, how many load and register."""
    counted = [each for each in found if not each.lacks]
    return sum(bool(each.registered) for each in counted) / len(counted)


def _table(found: Iterable[Outcome]) -> str:
    def told(each: Outcome) -> str:
        return (
            f"needs {each.lacks}, not installed" if each.lacks else each.registered or each.error or "registers nothing"
        )

    return "\n".join(f"{each.package:44} {os.path.basename(each.path):24} {told(each)[:140]}" for each in found)


def test_examples_of_pi_load_and_register(made: Cage) -> None:
    folder = example("")
    names = sorted(each.name for each in folder.iterdir() if each.is_dir() or each.suffix == ".ts")
    entries = [(name, path) for name in names for path in entries_of(made, folder / name)]
    assert len(entries) >= 60
    found = outcomes(made, entries)
    not_registered = {each.package: each.lacks or each.error for each in found if not each.registered}
    # Its package.json asks for an npm package that pi does not bring along.
    assert not_registered in ({}, {"sandbox": "@anthropic-ai/sandbox-runtime"}), _table(found)
    assert _share(found) >= ENOUGH


def _installed() -> Iterator[tuple[str, str, int]]:
    """Of what is pinned: name, version and how many entries."""
    for line in PINNED.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pinned, count = line.split()
            name, _, version = pinned.rpartition("@")
            if (INSTALLED / name / "package.json").is_file():
                yield name, version, int(count)


needs_packages = pytest.mark.skipif(
    not INSTALLED.is_dir() and not os.environ.get(WANTED), reason="needs packages of npm: scripts/soak installs them"
)


@needs_packages
def test_packages_of_npm_load_and_register(made: Cage, capsys: pytest.CaptureFixture[str]) -> None:
    packages = list(_installed())
    assert len(packages) >= 60, f"only {len(packages)} of the pinned packages are installed"
    entries: list[tuple[str, str]] = []
    for name, version, count in packages:
        assert json.loads((INSTALLED / name / "package.json").read_text("utf-8"))["version"] == version
        paths = entries_of(made, INSTALLED / name)
        assert len(paths) == count, f"{name} has {len(paths)} entries"
        entries += [(name, path) for path in paths]
    found = outcomes(made, entries)
    with capsys.disabled():
        print(
            f"\n{_table(found)}\n{len(packages)} packages, {len(found)} modules: {_share(found):.1%} load and register"
        )
    assert sum(not each.lacks for each in found) >= 60
    assert _share(found) >= ENOUGH


USER = {"role": "user", "content": [{"type": "text", "text": "hello"}], "timestamp": 1}
USAGE = {"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2}
ASSISTANT = {
    "role": "assistant",
    "content": [{"type": "text", "text": "hi"}],
    "stopReason": "stop",
    "usage": {**USAGE, "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}},
    "timestamp": 2,
}
A_WHOLE_TURN: tuple[Event, ...] = (
    Input("hello"),
    BeforeAgentStart("hello", system_prompt="Be kind."),
    AgentStart(),
    TurnStart(),
    Context([USER]),
    BeforeProviderRequest({"model": "m", "messages": []}),
    MessageStart(ASSISTANT),
    MessageUpdate(ASSISTANT, {"type": "text_delta", "delta": "hi"}),
    MessageEnd(ASSISTANT),
    ToolCall("bash", "call-1", {"command": "ls"}),
    ToolExecutionStart("bash", "call-1", {"command": "ls"}),
    ToolExecutionEnd("bash", "call-1", {"content": []}),
    ToolResult("bash", "call-1", {"command": "ls"}, ({"type": "text", "text": "a.txt"},)),
    TurnEnd(0, ASSISTANT),
    AgentEnd([USER, ASSISTANT]),
    ModelSelect({"provider": "acme", "id": "large", "name": "Large", "contextWindow": 1000}),
    SessionBeforeSwitch(),
    SessionTree(),
    ResourcesDiscover("."),
)


@needs_packages
def test_a_whole_turn_goes_past_packages_of_npm(made: Cage) -> None:
    """Handlers of nearly two hundred modules hear everything that happens; none of them ends the process."""
    paths = [path for name, _, _ in _installed() for path in entries_of(made, INSTALLED / name)]
    entries = [{"type": "message", "id": each["role"], "message": each} for each in (USER, ASSISTANT)]
    broken: list[str] = []

    async def play(together: list[str]) -> None:
        async with asyncio.timeout(240), session_in(made, together, entries=entries) as session:
            for event in A_WHOLE_TURN:
                await session.emit(event)
            names = {"sidecar", "SessionStart", *(type(event).__name__ for event in A_WHOLE_TURN)}
            broken.extend(f"{each.module}: {each.message}" for each in session.errors if each.event in names)

    for at in range(0, len(paths), TOGETHER):
        asyncio.run(play(paths[at : at + TOGETHER]))
    assert broken == []

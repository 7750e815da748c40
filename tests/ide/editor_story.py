"""What every editor with our companion can do, told once: a person at the editor, an agent in its terminal."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from pisces.ide.client.client import CONNECTED, IdeClient
from pisces.ide.discovery_file import DiscoveryFile, discovery_files
from pisces.places import Places
from pisces.shapes.ide_context import Cursor, IdeContext

PATIENCE = 20.0
PISCES = [sys.executable, "-m", "pisces"]
ROOT = Path(__file__).resolve().parents[2]
COMPANIONS = ROOT / "src" / "pisces" / "companions"
TEXT = "one\ntwo\nthree\n"
AWKWARD = ("", "\n", "no end", "a\n\n", "dos\r\nlines\r\n", "mixed\r\nlines\n", "dos\r\nno end", "ünï \U0001f600\n")


class Person(ABC):
    """Somebody who sits at the editor."""

    @abstractmethod
    def edit(self, path: Path) -> None: ...

    @abstractmethod
    def move_to(self, line: int, character: int) -> None: ...

    @abstractmethod
    def select_first_two_lines(self) -> None: ...

    @abstractmethod
    def rename(self, path: Path, to: Path) -> None: ...

    @abstractmethod
    def close(self, path: Path) -> None: ...

    @abstractmethod
    def seen_diff(self) -> tuple[str, str] | None:
        """What is on the left and on the right, None where no diff is shown."""

    @abstractmethod
    def focused(self) -> str:
        """Where keys go."""

    @abstractmethod
    def replace_proposal(self, text: str) -> None: ...

    @abstractmethod
    def accept(self) -> None: ...

    @abstractmethod
    def reject(self) -> None: ...

    @abstractmethod
    def dismiss(self) -> None:
        """Closes the diff without a word."""


class Project:
    """Two files in a folder, and a home and a temporary folder that are nobody else's."""

    def __init__(self, folder: Path) -> None:
        self.folder = (folder / "project").resolve()
        self.home = folder / "home"
        self.tmp = folder / "tmp"
        for each in (self.folder, self.home, self.tmp):
            each.mkdir()
        self.one, self.two = self.folder / "one.txt", self.folder / "two.txt"
        for file in (self.one, self.two):
            file.write_text(TEXT)
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        self.env = {
            **kept,
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "LANG": "C.UTF-8",
            "REMOTE_CONTAINERS": "1",
        }

    def client(self) -> IdeClient:
        return IdeClient(Places(str(self.home), str(self.folder), self.env))

    def files(self) -> list[DiscoveryFile]:
        return [each for each in discovery_files(self.env) if isinstance(each, DiscoveryFile)]

    def pisces(self, *words: str) -> dict[str, Any]:
        """What `pisces ide` says to these words, and how it ends."""
        command = [*PISCES, "ide", *words, "--output-format", "json"]
        done = subprocess.run(command, env=self.env, cwd=self.folder, capture_output=True, check=False, timeout=60)
        assert done.stdout, done.stderr.decode()
        told: dict[str, Any] = json.loads(done.stdout)
        return {**told, "exit": done.returncode}


async def eventually(answer: Callable[[], Any], what: Callable[[], object] = lambda: "") -> Any:
    """What the question answers once that is true."""
    end = monotonic() + PATIENCE
    while not (got := answer()):
        assert monotonic() < end, f"never came true: {what()}"
        await asyncio.sleep(0.02)
    return got


async def is_told(ide: IdeClient, is_so: Callable[[IdeContext], bool]) -> None:
    await eventually(lambda: ide.context and is_so(ide.context), lambda: ide.context)


def active(context: IdeContext) -> tuple[str, Cursor | None, str]:
    file = context.open_files[0] if context.open_files else None
    return (file.path, file.cursor, file.selected_text) if file and file.is_active else ("", None, "")


def paths(context: IdeContext) -> list[str]:
    return [file.path for file in context.open_files]


async def an_agent_follows_the_files(project: Project, person: Person) -> None:
    one, two, renamed = map(str, (project.one, project.two, project.folder / "renamed.txt"))
    async with project.client() as ide:
        await eventually(lambda: ide.status.state == CONNECTED, lambda: ide.status)
        person.edit(project.one)
        await is_told(ide, lambda told: active(told) == (one, Cursor(1, 1), ""))
        person.edit(project.two)
        await is_told(ide, lambda told: active(told)[0] == two and paths(told) == [two, one])
        person.move_to(2, 3)
        await is_told(ide, lambda told: active(told) == (two, Cursor(2, 3), ""))
        person.select_first_two_lines()
        await is_told(ide, lambda told: active(told)[2] == "one\ntwo\n")
        person.move_to(3, 1)
        await is_told(ide, lambda told: active(told) == (two, Cursor(3, 1), ""))
        person.edit(project.one)
        await is_told(ide, lambda told: active(told)[0] == one and paths(told) == [one, two])
        person.rename(project.one, project.folder / "renamed.txt")
        await is_told(ide, lambda told: sorted(paths(told)) == sorted([renamed, two]))
        person.close(project.folder / "renamed.txt")
        await is_told(ide, lambda told: paths(told) == [two])


async def a_diff_is_settled_in_the_editor(project: Project, person: Person) -> None:
    path = str(project.one)
    new = str(project.folder / "new.txt")
    async with project.client() as ide:
        await eventually(lambda: ide.status.state == CONNECTED, lambda: ide.status)
        before = person.focused()

        diff = await ide.open_diff(path, "proposed\n")
        assert diff.is_shown, diff.failure
        await eventually(lambda: person.seen_diff() == (TEXT, "proposed\n"), person.seen_diff)
        assert person.focused() == before, "the focus was taken away"
        person.accept()
        outcome = await asyncio.wait_for(diff.answer(), PATIENCE)
        assert (outcome.is_accepted, outcome.content, outcome.by) == (True, "proposed\n", "editor")
        await eventually(lambda: person.seen_diff() is None)
        assert project.one.read_text() == TEXT, "the agent writes, not the editor"

        diff = await ide.open_diff(new, "proposed\n")
        await eventually(lambda: person.seen_diff() == ("", "proposed\n"), person.seen_diff)
        person.replace_proposal("my own\nwords\n")
        person.accept()
        outcome = await asyncio.wait_for(diff.answer(), PATIENCE)
        assert (outcome.is_accepted, outcome.content) == (True, "my own\nwords\n")

        for refuse in (person.reject, person.dismiss):
            await eventually(lambda: person.seen_diff() is None)
            diff = await ide.open_diff(path, "proposed\n")
            await eventually(person.seen_diff)
            refuse()
            outcome = await asyncio.wait_for(diff.answer(), PATIENCE)
            assert (outcome.is_accepted, outcome.by) == (False, "editor")
        await eventually(lambda: person.seen_diff() is None)


async def a_diff_is_settled_in_the_terminal(project: Project, person: Person) -> None:
    path = str(project.one)
    async with project.client() as ide:
        await eventually(lambda: ide.status.state == CONNECTED, lambda: ide.status)
        diff = await ide.open_diff(path, "proposed\n")
        await eventually(person.seen_diff)
        person.replace_proposal("my own\nwords\n")
        outcome = await diff.accept()
        assert (outcome.is_accepted, outcome.content, outcome.by) == (True, "my own\nwords\n", "terminal")
        await eventually(lambda: person.seen_diff() is None)

        diff = await ide.open_diff(path, "proposed\n")
        await eventually(person.seen_diff)
        assert not (await diff.reject()).is_accepted
        await eventually(lambda: person.seen_diff() is None)

        for text in AWKWARD:
            diff = await ide.open_diff(path, text)
            await eventually(person.seen_diff)
            assert (await diff.accept()).content == text
        await eventually(lambda: person.seen_diff() is None)

    async with project.client() as ide:
        await eventually(lambda: ide.status.state == CONNECTED, lambda: ide.status)
        await ide.open_diff(path, "proposed\n")
        await eventually(person.seen_diff)
    await eventually(lambda: person.seen_diff() is None, lambda: "a diff stays when the agent has gone")


def no_rule_is_broken(project: Project) -> None:
    report = project.pisces("probe", "--file", project.files()[0].path)
    assert [rule for rule in report["rules"] if rule["verdict"] == "broken"] == []
    assert report["exit"] == 0

"""The extension for VS Code, under node with a stand-in for the editor and the real `pisces ide serve` behind it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pisces import __version__
from tests.ide import editor_story as story
from tests.ide.editor_story import COMPANIONS, PATIENCE, PISCES, ROOT, Person, Project
from tests.ide.gemini_terminal import until

EXTENSION = COMPANIONS / "vscode"
FAKE = ROOT / "tests" / "ide" / "fake_vscode.cjs"
MANUAL, AFTER_DELAY = 1, 2

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="needs node")


class VsCode(Person):
    def __init__(self, project: Project, *command: str) -> None:
        words = ["node", str(FAKE), str(EXTENSION), str(project.folder), *(command or PISCES)]
        self.process = subprocess.Popen(
            words, cwd=project.folder, env=project.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def do(self, act: str, **given: Any) -> Any:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"do": act, **given}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        """As the editor ends it: it is deactivated."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()

    def edit(self, path: Path) -> None:
        self.do("edit", path=str(path))

    def move_to(self, line: int, character: int) -> None:
        self.do("move", line=line, character=character)

    def select_first_two_lines(self) -> None:
        self.do("select", lines=2)

    def rename(self, path: Path, to: Path) -> None:
        self.do("rename", path=str(path), to=str(to))

    def close(self, path: Path) -> None:
        self.do("close", path=str(path))

    def seen_diff(self) -> tuple[str, str] | None:
        seen = self.do("diff")
        return tuple(seen) if seen else None

    def focused(self) -> str:
        return str(self.do("focused"))

    def replace_proposal(self, text: str) -> None:
        self.do("replace", text=text)

    def accept(self) -> None:
        self.do("command", name="pisces.accept")

    def reject(self) -> None:
        self.do("command", name="pisces.reject")

    def dismiss(self) -> None:
        self.do("dismiss")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def vscode(project: Project) -> Iterator[VsCode]:
    made = VsCode(project)
    try:
        assert until(project.files, PATIENCE), "no companion"
        yield made
    finally:
        made.end()
    assert project.files() == []


@needs_node
def test_an_agent_follows_the_files(project: Project, vscode: VsCode) -> None:
    asyncio.run(story.an_agent_follows_the_files(project, vscode))


@needs_node
def test_a_diff_is_settled_in_the_editor(project: Project, vscode: VsCode) -> None:
    asyncio.run(story.a_diff_is_settled_in_the_editor(project, vscode))


@needs_node
def test_a_diff_is_settled_in_the_terminal(project: Project, vscode: VsCode) -> None:
    asyncio.run(story.a_diff_is_settled_in_the_terminal(project, vscode))


@needs_node
def test_only_a_save_by_hand_accepts(project: Project, vscode: VsCode) -> None:
    async def saved() -> None:
        async with project.client() as ide:
            await story.eventually(lambda: ide.connection)
            diff = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(vscode.seen_diff)
            vscode.replace_proposal("half a thou")
            vscode.do("save", reason=AFTER_DELAY)
            assert vscode.seen_diff()
            vscode.replace_proposal("half a thought\n")
            vscode.do("save", reason=MANUAL)
            outcome = await asyncio.wait_for(diff.answer(), PATIENCE)
            assert (outcome.is_accepted, outcome.content) == (True, "half a thought\n")

    asyncio.run(saved())


@needs_node
def test_terminals_get_variables_and_hear_of_other_folders(project: Project, vscode: VsCode) -> None:
    other = project.folder.parent / "other"
    port = str(project.files()[0].port)
    assert until(lambda: vscode.do("variables").get("GEMINI_CLI_IDE_SERVER_PORT") == port, PATIENCE)
    both = f"{project.folder}{os.pathsep}{other}"
    vscode.do("folders", paths=[str(project.folder), str(other)])
    assert until(lambda: vscode.do("variables").get("GEMINI_CLI_IDE_WORKSPACE_PATH") == both, PATIENCE)
    assert project.files()[0].workspace_path == both


@needs_node
def test_it_keeps_every_rule(project: Project, vscode: VsCode) -> None:
    story.no_rule_is_broken(project)


@needs_node
def test_it_says_that_pisces_is_missing(project: Project) -> None:
    vscode = VsCode(project, "no-such-pisces")
    try:
        assert until(lambda: any("cannot run `no-such-pisces`" in each for each in vscode.do("warnings")), PATIENCE)
    finally:
        vscode.end()


def test_the_package_is_a_zip_as_editors_want_it(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "build-vsix"), str(tmp_path)]
    made = Path(subprocess.run(script, capture_output=True, encoding="utf-8", check=True).stdout.strip())
    assert made == tmp_path / f"pisces-ide-{__version__}.vsix", "the version is that of pisces"
    with zipfile.ZipFile(made) as package:
        names = set(package.namelist())
        types = ElementTree.fromstring(package.read("[Content_Types].xml"))
        manifest = ElementTree.fromstring(package.read("extension.vsixmanifest"))
        told = json.loads(package.read("extension/package.json"))
    own = {f"extension/{path.name}" for path in EXTENSION.iterdir() if path.suffix != ".vsix"}
    assert names == own | {"[Content_Types].xml", "extension.vsixmanifest"}
    known = {each.get("Extension") for each in types}
    assert {Path(name).suffix for name in names} - {".xml"} <= known
    identity = manifest.find(".//{*}Identity")
    assert identity is not None
    assert (identity.get("Publisher"), identity.get("Id"), identity.get("Version")) == (
        told["publisher"],
        told["name"],
        told["version"],
    )
    assert {each.get("Path") for each in manifest.iterfind(".//{*}Asset")} <= names
    assert f"extension/{told['main'].removeprefix('./')}" in names


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for `code` is a shell script")
def test_it_is_packed_and_handed_to_the_editor(project: Project) -> None:
    code = project.home / "code"
    code.write_text('#!/bin/sh\n[ "$1" = --install-extension ] && cp "$2" "$HOME/taken.vsix" && echo installed\n')
    code.chmod(0o755)
    project.env["PATH"] = f"{project.home}:{project.env['PATH']}"
    told = project.pisces("install", "vscode")
    assert (told["installed"], told["said"]) == (True, "installed")
    assert zipfile.is_zipfile(project.home / "taken.vsix")


def test_a_workspace_cannot_choose_the_program() -> None:
    told = json.loads((EXTENSION / "package.json").read_text())
    assert told["contributes"]["configuration"]["properties"]["pisces.command"]["scope"] == "machine"

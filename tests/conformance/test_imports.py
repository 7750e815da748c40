"""Context files import the same files here as in the real programs, whatever the text around the names."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from pisces.instructions.context import context
from pisces.places import Places
from tests.conformance.test_gemini_differential import needs_gemini, needs_node
from tests.conformance.workspaces.asking import at_once
from tests.conformance.workspaces.claude import loaded_files, why_missing
from tests.conformance.workspaces.imports import plant_imports
from tests.conformance.workspaces.workspace import Workspace
from tests.peer_programs import GEMINI

SEEDS = int(os.environ.get("PISCES_IMPORTS", "6"))
FIRST = int(os.environ.get("PISCES_IMPORTS_FIRST", "0"))


def planted(folder: Path, name: str, seed: int) -> Workspace:
    root, home = folder / str(seed) / "work" / "shop", folder / str(seed) / "home"
    home.mkdir(parents=True)
    plant_imports(root, name, seed)
    (home / "own.md").write_text("own", "utf-8")
    return Workspace(f"imports {seed}", home, root)


@pytest.mark.skipif(bool(why_missing()), reason=why_missing())
def test_claude_code_reads_the_same_files(tmp_path: Path) -> None:
    workspaces = [planted(tmp_path, "CLAUDE.md", seed) for seed in range(FIRST, FIRST + SEEDS)]
    differing = []
    for workspace, loaded in zip(workspaces, at_once(loaded_files, workspaces), strict=True):
        told = context(Places(str(workspace.home), str(workspace.folder), {}), trusted=True)
        ours = {part.source for part in told.parts}
        differing += [f"{workspace.name}: {path}" for path in sorted(ours ^ set(loaded))]
    assert not differing, "\n".join(differing)


@needs_node
@needs_gemini
def test_gemini_cli_puts_the_same_text_in_their_place(tmp_path: Path) -> None:
    workspaces = [planted(tmp_path, "GEMINI.md", seed) for seed in range(FIRST, FIRST + SEEDS * 10)]
    files = [str(workspace.folder / "GEMINI.md") for workspace in workspaces]
    asked, answer = tmp_path / "files.json", tmp_path / "texts.json"
    asked.write_text(json.dumps(files), "utf-8")
    oracle = Path(__file__).with_name("memory_oracle.mjs")
    subprocess.run(["node", oracle, GEMINI, asked, answer], capture_output=True, timeout=120, check=True)
    for workspace, theirs in zip(workspaces, json.loads(answer.read_text("utf-8")), strict=True):
        (workspace.home / ".gemini").mkdir()
        told = context(Places(str(workspace.home), str(workspace.folder), {}), trusted=True)
        assert [part.text for part in told.parts] == [theirs], workspace.name

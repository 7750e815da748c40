"""`pisces check` beside `claude plugin validate`, on made-up plugins and marketplaces with one oddity or more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conformance.workspaces.asking import at_once, said
from tests.conformance.workspaces.claude import validated, why_missing
from tests.conformance.workspaces.claude_packages import claude_package
from tests.conformance.workspaces.sample import seeds
from tests.conformance.workspaces.workspace import Workspace

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

FLOOR = 80  # percent


def test_plugins_and_marketplaces_are_refused_as_claude_code_refuses_them(tmp_path: Path) -> None:
    somewhere = Workspace("validate", tmp_path / "home", tmp_path)
    somewhere.home.mkdir()

    def difference(seed: int) -> str:
        package = claude_package(seed, tmp_path)
        theirs, ours = validated(package.folder, somewhere), our_errors(package.folder, somewhere)
        if bool(theirs) == bool(ours):
            return ""
        return f"{package.label}: {f'refused: {theirs}' if theirs else 'accepted'}, pisces: {ours or 'no problems'}"

    found = at_once(difference, seeds(sample=12, all_of_them=200))
    different = list(filter(None, found))
    report = "\n".join([f"{len(found) - len(different)} of {len(found)} have the same verdict", *different])
    print(report)
    assert 100 * (1 - len(different) / len(found)) >= FLOOR, report


def our_errors(folder: Path, workspace: Workspace) -> str:
    """What `check` has against a folder as Claude Code's; nothing where its status is 0."""
    check = [sys.executable, "-m", "pisces", "check", str(folder), "--severity", "error"]
    ran = said([*check, "--harness", "claude"], workspace)
    if "unrecognized arguments" in ran.stderr:
        ran = said(check, workspace)
    return (ran.stdout + ran.stderr).strip() if ran.returncode else ""

"""Checkouts of public repositories with several harnesses each: a throwaway home, and what the programs say of a copy.

They are other people's files: nothing of them runs. The programs start without a network, with a PATH on which a
server's program is not found, and Claude Code without the hooks and helpers of the project's settings.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.conformance.workspaces import claude, codex, gemini, opencode
from tests.conformance.workspaces.comparison import Oracle, differences, our_verdict
from tests.conformance.workspaces.workspace import Verdict, Workspace

RECORD = Path(__file__).with_name("real_repositories.json")
RUNS = ("hooks", "apiKeyHelper", "statusLine", "otelHeadersHelper", "awsAuthRefresh", "awsCredentialExport")
PROGRAMS = {"gemini": gemini, "claude": claude, "codex": codex, "opencode": opencode}

# Not asked, because the answer needs the project's own programs or markers in the files.
NOT_ASKED = {"claude": ("hooks",), "codex": ("context-files",), "opencode": ("modules",)}
BY_NAME_ONLY = ("claude", "opencode")  # they do not say which file an item comes from


def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text("utf-8"))
    return found


def checkout(name: str, commit: str) -> Path | str:
    """The folder of a repository, or why it cannot be used. A folder without a history is taken at its word."""
    folder = os.environ.get("PISCES_REPOSITORIES")
    if not folder:
        return "PISCES_REPOSITORIES names no folder with one checkout a repository, called OWNER+NAME"
    path = Path(folder).resolve() / name
    if not path.is_dir():
        return f"no checkout of {name} in {folder}"
    ran = subprocess.run(["git", "-C", path, "rev-parse", "-q", "--verify", "HEAD"], capture_output=True, check=False)
    at = ran.stdout.decode().strip()
    return f"{name} is at {at}, not at {commit}" if at and at != commit else path


def at_home(home: Path, folder: Path, *, trusted: bool) -> Workspace:
    """A home in which the four programs are set up, and trust the folder or have never been asked."""
    for each in (".gemini", ".claude", ".codex", ".config/opencode"):
        (home / each).mkdir(parents=True)
    if trusted:
        (home / ".gemini/trustedFolders.json").write_text(json.dumps({str(folder): "TRUST_FOLDER"}))
        known = {"projects": {str(folder): {"hasTrustDialogAccepted": True}}}
        (home / ".claude.json").write_text(json.dumps(known))
        (home / ".codex/config.toml").write_text(f'[projects."{folder}"]\ntrust_level = "trusted"\n')
    return Workspace(folder.name, home, folder)


def oracle_of(harness: str, scratch: Path) -> Oracle:
    scratch.mkdir(parents=True)
    if harness in ("gemini", "claude"):
        made: Oracle = (gemini.Gemini if harness == "gemini" else claude.Claude)(scratch)
        return made
    return codex.Codex() if harness == "codex" else opencode.OpenCode()


def program_differences(harness: str, oracle: Oracle, original: Path, root: Path, *, trusted: bool) -> list[str]:
    """What a program says of a copy and pisces does not, and the other way round."""
    folder = root / "code" / "project"
    shutil.copytree(original, folder, symlinks=True)
    workspace = at_home(root / "home", folder, trusted=trusted)
    ours = our_verdict(harness, workspace)
    theirs = oracle.verdict(_harmless(harness, workspace, root))
    if harness in BY_NAME_ONLY:
        theirs = _by_name(theirs)
    kinds = [kind for kind in oracle.kinds if kind not in NOT_ASKED.get(harness, ())]
    found = differences(theirs, ours, kinds)
    return sorted(line.replace(f"{folder}/", "").replace(str(workspace.home), "~") for line in found)


def _harmless(harness: str, workspace: Workspace, root: Path) -> Workspace:
    if harness == "gemini":  # its oracle starts nothing but git
        return workspace
    programs = root / "bin"
    programs.mkdir()
    for name in ("cat", "git"):
        (programs / name).symlink_to(str(shutil.which(name)))
    for path in workspace.folder.glob(".claude/settings*.json"):
        settings = {key: value for key, value in json.loads(path.read_text("utf-8")).items() if key not in RUNS}
        path.write_text(json.dumps(settings))
    return replace(workspace, env={"PATH": str(programs)})


def _by_name(verdict: Verdict) -> Verdict:
    kept = {"refused", "packages", "context-files"}
    return {
        kind: items if kind in kept else [(name, None, state) for name, _path, state in items]
        for kind, items in verdict.items()
    }

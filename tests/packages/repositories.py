"""Real git repositories for tests, made with the git binary; tests are skipped where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")

MANIFEST = '{"name": "kit", "version": "1.0.0"}'
ENV = {
    "PATH": os.environ.get("PATH", os.defpath),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "An Author",
    "GIT_AUTHOR_EMAIL": "author@example.invalid",
    "GIT_COMMITTER_NAME": "An Author",
    "GIT_COMMITTER_EMAIL": "author@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
}


def git(folder: Path, *args: str, given: bytes = b"") -> str:
    env = {**ENV, "HOME": str(folder)}
    done = subprocess.run(
        ["git", *args], cwd=folder, env=env, input=given, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def repository(path: Path, files: Mapping[str, str] | None = None) -> Path:
    """A repository with one commit on `main`."""
    path.mkdir(parents=True)
    git(path, "init", "--quiet", "--initial-branch=main")
    commit(path, files if files is not None else {"gemini-extension.json": MANIFEST})
    return path


def commit(path: Path, files: Mapping[str, str], message: str = "change") -> str:
    for name, text in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    git(path, "add", "--all")
    git(path, "commit", "--quiet", "--allow-empty", "-m", message)
    return git(path, "rev-parse", "HEAD")

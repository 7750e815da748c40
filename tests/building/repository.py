"""An author's repository on the disk, and the shell in it. In process, with a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.__main__ import main

SKILL = "---\nname: notes\ndescription: Notes\n---\nWrite notes.\n"
COMMAND = "---\ndescription: Commits\n---\nCommit $ARGUMENTS\n"
CONFIG = '[build]\nversion = "package.json"\n\n[build.targets]\ngemini = "dist/gemini"\n'


def put(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with its content and mode."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class Author:
    """`folder` is the repository; `pisces` runs the shell in it and returns the exit code and what was printed."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.home = root / "repo", root / "home"
        self._capsys = capsys
        self.home.mkdir()
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            monkeypatch.delenv(name)
        for name, value in {"HOME": str(self.home), "USERPROFILE": str(self.home), "NO_COLOR": "1"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setenv("PISCES_SECRETS_STORE", "file")
        self.put(
            {
                ".claude-plugin/plugin.json": '{"name": "demo", "version": "1.2.3", "description": "Demo"}\n',
                "package.json": '{"name": "demo", "version": "1.3.0"}\n',
                "skills/notes/SKILL.md": SKILL,
                "commands/save.md": COMMAND,
                "pisces.toml": CONFIG,
            }
        )
        monkeypatch.chdir(self.folder)

    def put(self, files: dict[str, str | bytes]) -> None:
        put(self.folder, files)

    def pisces(self, *words: str) -> tuple[int, str]:
        self._capsys.readouterr()
        status = main(list(words))
        captured = self._capsys.readouterr()
        return status, captured.out + captured.err

    def json(self, *words: str) -> dict[str, Any]:
        self._capsys.readouterr()
        main([*words, "--output-format", "json"])
        found: dict[str, Any] = json.loads(self._capsys.readouterr().out)
        return found

    def installed(self, *source: str) -> str:
        """Installs from a source after its card was read, and returns what is listed then."""
        card = self.pisces("extensions", "install", *source)[1]
        accepted = next(word for word in card.split() if word.startswith("sha256:"))
        status, said = self.pisces("extensions", "install", *source, "--accept", accepted)
        assert status == 0, said
        return self.pisces("extensions", "list")[1]

    def git(self, *words: str) -> str:
        env = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1"}
        who = ("-c", "user.name=Author", "-c", "user.email=author@example.com", "-c", "init.defaultBranch=main")
        done = subprocess.run(["git", *who, *words], cwd=self.folder, env=env, capture_output=True, check=True)
        return done.stdout.decode()

    def committed(self) -> None:
        """The repository is one of git, and all of it is committed."""
        self.git("init", "--quiet")
        self.git("config", "user.name", "Author")
        self.git("config", "user.email", "author@example.com")
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "all")

    @property
    def out(self) -> Path:
        return self.folder / "dist" / "gemini"

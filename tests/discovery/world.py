"""A home and a repository on disk, looked at through one harness only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import capability_named
from pisces.discovery.harness import Harness
from pisces.discovery.registry import Discovered, discover
from pisces.places import Places


class World:
    def __init__(self, folder: Path, harness: Harness, env: Mapping[str, str] | None = None) -> None:
        self.home = folder / "home"
        self.repository = folder / "work" / "shop"
        self.harness = harness
        self.env = dict(env or {})
        written(self.repository / ".git/HEAD", "ref: refs/heads/main\n")
        self.home.mkdir()
        self.cwd = self.repository

    def user(self, path: str, text: str | object = "") -> Path:
        return written(self.home / path, text)

    def project(self, path: str, text: str | object = "") -> Path:
        return written(self.repository / path, text)

    def found(self, capability: str) -> Discovered:
        places = Places(str(self.home), str(self.cwd), self.env)
        return discover(capability_named(capability), places, harnesses=[self.harness])

    def names(self, capability: str) -> list[str]:
        """What wins, by the name that the user knows it by."""
        return [getattr(each.item, "final_name", "") or each.item.name for each in self.found(capability).items]

    def paths(self, capability: str, *, every: bool = False) -> list[str]:
        """Where what wins comes from, or every candidate: relative to the repository, or with `~` for home."""
        result = self.found(capability)
        found = [each.found for each in result.all] if every else result.items
        return [self.shown(each.item.path) for each in found]

    def shown(self, path: str) -> str:
        return path.replace(str(self.repository) + "/", "").replace(str(self.home), "~")

    def codes(self, capability: str) -> list[str]:
        return [each.code for each in self.found(capability).diagnostics]

    def problem(self, capability: str, code: str) -> Diagnostic:
        (found,) = [each for each in self.found(capability).diagnostics if each.code == code]
        return found


def written(path: Path, text: str | object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1), encoding="utf-8")
    return path


def worktree(main: Path, folder: Path) -> None:
    """As `git worktree add` leaves it."""
    own = main / ".git/worktrees" / folder.name
    for name in ("objects", "refs"):
        (main / ".git" / name).mkdir(parents=True, exist_ok=True)
    written(own / "commondir", "../..\n")
    written(own / "HEAD", "ref: refs/heads/side\n")
    written(own / "gitdir", f"{folder}/.git\n")
    written(folder / ".git", f"gitdir: {own}\n")


def skill(name: str) -> str:
    return f"---\nname: {name}\ndescription: Does {name}\n---\nHow to {name}."

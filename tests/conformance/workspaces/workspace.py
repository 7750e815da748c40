"""A made-up home and project for one program, written from a seed: the same seed makes the same files."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

# kind of item -> (name, path or None where the program does not say it, state), with the words of `pisces list`. The
# state is "inactive" where the program does not say why. Under "refused" is the reason why the program does not start.
Item = tuple[str, str | None, str]
Verdict = dict[str, list[Item]]


@dataclass(frozen=True)
class Workspace:
    """`folder` is where the program is started; `traits` are words that say what is odd here."""

    name: str
    home: Path
    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    traits: list[str] = field(default_factory=list)


class Draft:
    """A workspace while it is written: files below `root`, and choices that depend on the seed only."""

    def __init__(self, program: str, seed: int, root: Path) -> None:
        self.random = random.Random(f"{program} {seed}")
        self.name = f"{program}-{seed}"
        self.root = root / self.name
        self.home = self.root / "home"
        self.project = self.root / "code" / "project"
        self.folder = self.project
        self.env: dict[str, str] = {}
        self.traits: list[str] = []
        for folder in (self.home, self.project):
            folder.mkdir(parents=True)

    def repository(self) -> None:
        """The project is one: some programs look for this file."""
        self.write(self.project / ".git" / "HEAD", "ref: refs/heads/main\n")

    def finished(self) -> Workspace:
        """HOME is the same in all; a program's own variable may have moved `home` elsewhere."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return Workspace(self.name, self.root / "home", self.folder, self.env, self.traits)

    def chance(self, probability: float, trait: str = "") -> bool:
        """True with this probability; the trait is noted then."""
        if self.random.random() >= probability:
            return False
        if trait:
            self.traits.append(trait)
        return True

    def one(self, *choices: T) -> T:
        return self.random.choice(choices)

    def some(self, choices: Sequence[T], most: int) -> list[T]:
        """Up to `most` of them, in their order."""
        chosen = self.random.sample(range(len(choices)), self.random.randint(0, min(most, len(choices))))
        return [choices[index] for index in sorted(chosen)]

    def write(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def json(self, path: Path, value: Any) -> Path:
        return self.write(path, json.dumps(value, indent=2) + "\n")

    def markdown(self, path: Path, header: dict[str, str], body: str = "Do it.") -> Path:
        lines = "".join(f"{key}: {value}\n" for key, value in header.items())
        return self.write(path, f"---\n{lines}---\n{body}\n")


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Nested objects are merged, other values of `other` win."""
    result = dict(one)
    for key, value in other.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result

"""A home and a repository on disk, and what a model would be told there."""

from __future__ import annotations

from pathlib import Path

from pisces.instructions.context import context
from pisces.instructions.instructions import instructions
from pisces.instructions.part import Instructions
from pisces.instructions.skills import SkillIndex, skill_index
from pisces.places import Places
from tests.discovery.world import written


class Workspace:
    def __init__(self, folder: Path) -> None:
        self.home, self.root = folder / "home", folder / "work" / "shop"
        (self.root / ".git").mkdir(parents=True)
        self.home.mkdir()
        self.cwd = self.root

    @property
    def places(self) -> Places:
        return Places(str(self.home), str(self.cwd), {})

    def user(self, path: str, text: str | object = "") -> Path:
        return written(self.home / path, text)

    def project(self, path: str, text: str | object = "") -> Path:
        return written(self.root / path, text)

    def skill(self, name: str, header: str = "", body: str = "Do it.\n", *, of_project: bool = False) -> Path:
        text = f"---\nname: {name}\ndescription: What {name} is for\n{header}---\n{body}"
        return (self.project if of_project else self.user)(f".claude/skills/{name}/SKILL.md", text)

    def read(self, *, trusted: bool = True) -> Instructions:
        return context(self.places, trusted=trusted)

    def all(self, *, trusted: bool = True) -> Instructions:
        return instructions(self.places, trusted=trusted)

    def index(self, *, trusted: bool = True) -> SkillIndex:
        return skill_index(self.places, trusted=trusted)

    def texts(self, *, trusted: bool = True) -> list[str]:
        return [part.text.strip() for part in self.read(trusted=trusted).parts]

    def sources(self, *, trusted: bool = True) -> list[str]:
        return [self.shown(part.source) for part in self.read(trusted=trusted).parts]

    def codes(self) -> list[str]:
        return [each.code for each in self.read().diagnostics]

    def shown(self, path: str) -> str:
        return path.replace(f"{self.root}/", "").replace(str(self.home), "~")

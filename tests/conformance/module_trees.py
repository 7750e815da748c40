"""Builds small odd folders of modules, the same ones for the same seed."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

MODULE = "export default function () {}\n"
FILES = ("a.ts", "b.ts", "b.js", "c.js", "d.d.ts", ".hidden.ts", "e.mjs", "notes.md", "index.md", "f g.ts")
FOLDERS = ("one", "two", "three", "a", ".dotted", "node_modules")
DECLARED = ("./main.ts", "lib/entry.js", "./gone.ts", "../a.ts", "./lib", "index.ts", "./dist/gone.js", "")
IGNORED = ("c.js", "one/", "*.js", "two", "!c.js", "a.ts", "three/index.ts", "/b.ts", "# a.ts")
CONFIGURED = (
    "./pack",
    "pack",
    "pack/../pack",
    "~/shared",
    "gone.ts",
    "single.ts",
    "f\u00a0g.ts",
    "./gone",
    "pack/a.ts",
)


class Tree:
    """A project with a native root and a folder to configure. `root` is what the program calls its own folder."""

    def __init__(self, folder: Path, seed: str, root: str, keys: tuple[str, ...]) -> None:
        self._random = Random(seed)
        self._keys = keys
        self.cwd = folder
        folder.mkdir(parents=True)
        (folder / ".git").mkdir()
        _write(folder / "single.ts")
        _write(folder / "f g.ts")
        self.fill(folder / root / "extensions")
        self.fill(folder / "pack")
        if self._is_likely(0.3):
            self._write_index(folder / "pack")
        if self._is_likely(0.5):
            ignored = self._some(IGNORED)
            (folder / ".gitignore").write_text("\n".join(ignored) + "\n")
        self.configured = self._some(CONFIGURED)

    def fill(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in self._some(FILES):
            _write(folder / name)
        for name in self._some(FOLDERS):
            self._fill_module(folder / name)
        if self._is_likely(0.2):
            (folder / "linked.ts").symlink_to("../../single.ts" if folder.parent.name[0] == "." else "../single.ts")
        if self._is_likely(0.2):
            (folder / "linked-folder").symlink_to("one")

    def _fill_module(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for path in self._some(("index.ts", "index.js", "main.ts", "lib/entry.js", "lib/index.ts", "deep/er/index.ts")):
            _write(folder / path)
        if self._is_likely(0.5):
            declared = self._some(DECLARED)
            key = self._random.choice(self._keys)
            manifests = (json.dumps({key: {"extensions": declared}}), json.dumps({key: {}}), "{", '{"name": "x"}')
            weights = (8, 1, 1, 1)
            (folder / "package.json").write_text(self._random.choices(manifests, weights)[0])

    def _write_index(self, folder: Path) -> None:
        _write(folder / self._random.choice(("index.ts", "index.js")))

    def _some(self, choices: tuple[str, ...]) -> list[str]:
        return self._random.sample(choices, self._random.randint(0, len(choices) // 2))

    def _is_likely(self, chance: float) -> bool:
        return self._random.random() < chance


def _write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(MODULE)

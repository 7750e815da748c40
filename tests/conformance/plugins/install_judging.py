"""Installing into a throwaway home and taking it back: not a byte of what was there before may differ, nor stay.

A second home has something in the way, so that the installation fails: the same holds there.
"""

from __future__ import annotations

import os
from pathlib import Path

from pisces.converting.convert import ConvertRequest
from pisces.converting.installing.install import install, recover, uninstall
from pisces.converting.installing.layout import InstallPlace, install_place
from pisces.converting.installing.plan import install_plan
from pisces.diagnostics import PiscesError
from pisces.places import Places
from tests.conformance.plugins.judgement import Judgement

Snapshot = dict[str, tuple[int, bytes]]
SETTINGS = '{\n    // mine\n    "theme" : "Dracula",\n\t"mcpServers": {"mine": {"command": "mine"}}\n}\n'


def judge_install(plugin: Path, name: str, scratch: Path, judgement: Judgement) -> None:
    """`name` is what the plugin calls itself."""
    home = _Home(scratch / "home", name)
    fault = home.install(plugin)
    installed = home.snapshot()
    fault = (
        fault or home.install(plugin) or ("" if home.snapshot() == installed else "the second time changes something")
    )
    judgement.count("installed", "installations", good=not fault, fault=fault)
    left = home.uninstall()
    judgement.count("uninstalled", "installations taken back", good=not left, fault=left)
    blocked = _Home(scratch / "blocked", name, blocked=("agents", "skills", "commands"))
    fault = blocked.install(plugin)
    left = blocked.difference() if fault else blocked.uninstall()
    judgement.count("uninstalled", "installations taken back", good=not left, fault=f"after `{fault}`: {left}")


class _Home:
    def __init__(self, home: Path, name: str, blocked: tuple[str, ...] = ()) -> None:
        """`blocked` are folders of the program that are files here."""
        self._folder = home / ".gemini"
        self._folder.mkdir(parents=True)
        (self._folder / "settings.json").write_text(SETTINGS, "utf-8")
        for each in blocked:
            (self._folder / each).write_text("not a folder\n", "utf-8")
        self._places = Places(str(home), str(home))
        self._name = name
        self._before = self.snapshot()

    @property
    def _place(self) -> InstallPlace:
        return install_place("gemini", self._name, self._places)

    def install(self, plugin: Path) -> str:
        """The reason why it is not; empty where it is."""
        try:
            recover(self._place)
            plan = install_plan(ConvertRequest(str(plugin), "gemini"), self._places, self._name)
            if plan.changes:
                install(plan)
        except PiscesError as error:
            return str(error)
        return ""

    def uninstall(self) -> str:
        """What differs from before, and why; empty where nothing does."""
        if self.snapshot() == self._before:
            return ""
        try:
            uninstall(self._place)
        except PiscesError as error:
            return str(error)
        return self.difference()

    def difference(self) -> str:
        after = self.snapshot()
        paths = sorted(self._before.keys() | after.keys())
        return ", ".join([each for each in paths if self._before.get(each) != after.get(each)][:5])

    def snapshot(self) -> Snapshot:
        """Every path with its mode and its bytes."""
        found: Snapshot = {}
        for path in self._folder.rglob("*"):
            data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            found[path.relative_to(self._folder).as_posix()] = (path.lstat().st_mode, data)
        return found

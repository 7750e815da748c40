"""A module of an installed package is loaded only while the package is what was agreed to, to the byte."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from tests.discovery.world import written
from tests.warm_shell import pisces

from pisces.gates.trust import admitted
from pisces.gates.trusted import trust_in
from pisces.modules.entries import module_entries
from pisces.modules.entry import ModuleEntries
from pisces.modules.module_set import ModuleOptions, open_modules
from pisces.places import Places
from pisces.testing import ScriptedHost


class Home:
    def __init__(self, top: Path) -> None:
        self.home, self.project = top / "home", top / "project"
        self.home.mkdir()
        self.project.mkdir()
        written(top / "kit/gemini-extension.json", {"name": "kit", "version": "1.0.0"})
        written(top / "kit/package.json", {"pisces": {"extensions": ["./main.py"]}})
        written(top / "kit/main.py", "from . import rules\ndef extension(pisces): ...\n")
        written(top / "kit/rules.py", "WORD = 'agreed'\n")
        (accepted,) = set(re.findall(r"sha256:[0-9a-f]{64}", self.pisces("extensions", "install", str(top / "kit"))))
        self.pisces("extensions", "install", str(top / "kit"), "--accept", accepted)

    def pisces(self, *words: str) -> str:
        env = {"HOME": str(self.home), "PATH": os.environ["PATH"], "COLUMNS": "0"}
        done = pisces(*words, cwd=self.project, env=env)
        return done.stdout + done.stderr

    @property
    def rules(self) -> Path:
        (path,) = self.home.glob(".pisces/agent/packages/trees/*/rules.py")
        return path

    def here(self) -> ModuleEntries:
        places = Places(str(self.home), str(self.project))
        return admitted(module_entries(places), trust_in(places), places)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def errors(found: ModuleEntries) -> list[str]:
    options = ModuleOptions(is_embedded=True)
    async with open_modules(found.running, ScriptedHost(os.getcwd()), print, options) as modules:
        return [each.message for each in modules.errors]


def run(found: ModuleEntries) -> list[str]:
    return asyncio.run(errors(found))


def test_an_installed_module_runs(home: Home) -> None:
    assert [entry.state for entry in home.here().entries] == ["runs"]
    assert run(home.here()) == []


def test_a_module_of_a_package_that_changed_does_not_run(home: Home) -> None:
    home.rules.chmod(0o644)
    home.rules.write_text("WORD = 'wicked'\n")
    found = home.here()
    assert [entry.state for entry in found.entries] == ["not trusted"]
    assert [each.code for each in found.diagnostics] == ["module-package-changed"]
    listed: Any = json.loads(home.pisces("modules", "list", "--output-format", "json"))
    assert [each["state"] for each in listed["modules"]] == ["not trusted"]


def test_a_file_that_changes_between_the_check_and_the_load_is_not_loaded(home: Home) -> None:
    found = home.here()
    home.rules.chmod(0o644)
    home.rules.write_text("WORD = 'wicked'\n")
    (error,) = run(found)
    assert "rules.py` is not what you trusted" in error

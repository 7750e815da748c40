"""Agent frameworks in environments of their own (scripts/setup-frameworks), and programs that run in them.

A program of tests/adapters/programs prints JSON lines. Each line has the `scenario` that it belongs to, so that one
start of a slow framework serves many tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from pisces.file_lock import file_lock
from tests.adapters.plugin import write_plugin
from tests.host.leaks import processes_of
from tests.peer_programs import PEERS

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
EXAMPLES = ROOT / "examples" / "adapters"
SECONDS = 300

_VERSION = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


class Framework:
    """`extra` is one of pyproject, or a dependency group. Without one it is the interpreter of the tests."""

    def __init__(self, extra: str) -> None:
        self.extra = extra
        self.python = sys.executable if not extra else str(_python_in(PEERS / "frameworks" / extra))

    @property
    def is_installed(self) -> bool:
        return not self.extra or (PEERS / "frameworks" / self.extra / f".pisces-{self.extra}").is_file()

    @property
    def requirements(self) -> list[Requirement]:
        content = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        known = {**content["project"]["optional-dependencies"], **content["dependency-groups"], "": []}
        return [Requirement(each) for each in known[self.extra]]

    def version(self, distribution: str) -> str:
        command = [self.python, "-I", "-c", _VERSION, distribution]
        return subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60).stdout.strip()

    def assert_versions(self) -> None:
        """A resolver that cannot please everybody takes a version of years ago without a word."""
        for each in self.requirements:
            found = self.version(each.name)
            assert each.specifier.contains(found), f"{each} is wanted, and {found} is installed"


def framework(extra: str) -> Framework:
    """Skips the test where it is not installed."""
    made = Framework(extra)
    if not made.is_installed:
        pytest.skip(f"the framework {extra} is not installed: ./scripts/setup-frameworks {extra}")
    made.assert_versions()
    return made


class Workspace:
    """A throwaway home with a project in it, and the plugin of tests/adapters/plugin.py beside the project."""

    def __init__(self, folder: Path, shared: Path) -> None:
        self.folder, self._shared = folder, shared
        self.home, self.project, self.plugin = folder / "home", folder / "home" / "boat", folder / "home" / "guard"
        (self.project / ".git").mkdir(parents=True)
        (self.project / "AGENTS.md").write_text("Use metres, never feet.\n", "utf-8")
        write_plugin(self.plugin)

    def environment(self) -> dict[str, str]:
        names = ("PATH", "SYSTEMROOT", "TEMP", "TMP")
        return {
            **{name: os.environ[name] for name in names if name in os.environ},
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "GUARD_PLUGIN": str(self.plugin),
        }

    def output(self, framework: Framework, program: Path, *arguments: str) -> str:
        """What the program printed. It must end well, and leave no process behind."""
        done = subprocess.run(
            [framework.python, str(program), *arguments],
            cwd=self.project,
            env=self.environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        if sys.platform == "linux":
            assert processes_of(str(self.folder)) == []
        return done.stdout

    def lines(self, framework: Framework, program: str, *arguments: str) -> list[dict[str, Any]]:
        """The JSON lines of a program in tests/adapters/programs, which runs once for all processes of the tests."""
        stored = self._shared / f"{'-'.join((program, *arguments))}.out"
        with file_lock(f"{stored}.lock", lambda _text: None, 2 * SECONDS):
            if not stored.exists():
                stored.write_text(self.output(framework, PROGRAMS / program, *arguments), "utf-8")
        printed = stored.read_text("utf-8")
        return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


class Scenarios:
    """What the scenarios of a program said, by their names. A scenario that failed fails whoever asks for it."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self._lines = lines

    def __getitem__(self, name: str) -> dict[str, Any]:
        """All facts of a scenario; of two lines with the same fact, the later one counts."""
        found = [line for line in self._lines if line["scenario"] == name]
        assert found, f"the program has no scenario `{name}`"
        facts = {key: value for line in found for key, value in line.items()}
        assert "failed" not in facts, facts["failed"]
        return facts


def _python_in(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

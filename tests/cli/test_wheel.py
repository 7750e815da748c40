"""The program as people get it: a wheel, in an environment that has nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.agent_world import answer
from tests.models.recorder import Recorder

ROOT = Path(__file__).parents[2]
SHIPPED = ("pyproject.toml", "README.md", "LICENSE", "src")
LIMIT = 300.0


class Installed:
    """The wheel, and an environment to install it into."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home, self.work = folder, folder / "home", folder / "work"
        source = folder / "source"
        for each in (source, self.home, self.work):
            each.mkdir()
        for name in SHIPPED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, source / name)
        _done([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder / "dist"), str(source)])
        _done([sys.executable, "-m", "venv", "--without-pip", str(folder / "env")])
        self.wheel = next((folder / "dist").glob("*.whl"))
        self._programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")

    def install(self, *words: str) -> None:
        python = str(self._programs / "python")
        _done([sys.executable, "-m", "pip", "--python", python, "install", "-q", *words])

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        passed_on = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return subprocess.run(
            [str(self._programs / "pisces"), *words],
            cwd=self.work,
            env={**passed_on, "HOME": str(self.home), "USERPROFILE": str(self.home), **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )


def _done(command: list[str]) -> None:
    """What needs an index is skipped where there is none."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=LIMIT, check=False)
    if done.returncode:
        pytest.skip(f"no index to install from: {(done.stderr.strip().splitlines() or ['?'])[-1]}")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("wheel").resolve())


def test_the_agent_answers_from_its_wheel(installed: Installed) -> None:
    with Recorder() as model:
        model.body = answer("fine")
        env = {"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": model.url}
        installed.install("--no-deps", str(installed.wheel))
        listed = installed.run("list")
        assert (listed.returncode, "Traceback" in listed.stderr) == (0, False)
        without = installed.run("-p", "hi", **env)
        assert without.returncode == 2
        assert "pip install 'pisces-agent[agent]'" in without.stderr
        assert "Traceback" not in without.stderr

        installed.install(f"{installed.wheel}[agent]")
        said = installed.run("-p", "hi", **env)
        assert (said.returncode, said.stdout, said.stderr) == (0, "fine\n", "")
        tools = [each["name"] for each in model.requests[-1]["tools"]]
        assert {"read", "write", "edit", "shell"} <= set(tools)


def test_the_tour_needs_nothing_but_the_wheel(installed: Installed) -> None:
    installed.install("--no-deps", "--force-reinstall", str(installed.wheel))
    before = set(installed.home.rglob("*"))
    shown = installed.run("tour")
    assert (shown.returncode, "Traceback" in shown.stderr) == (0, False), shown.stdout + shown.stderr
    assert "denied by PreToolUse hook" in shown.stdout
    assert set(installed.home.rglob("*")) == before

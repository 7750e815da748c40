"""Every module can be imported where POSIX is missing: no file needs `fcntl` or the like just to be looked at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "src" / "pisces"
NO_MODULES = {ROOT / "companions", ROOT / "packages" / "templates"}  # files for other programs

# Imports everything twice: the second time as on Windows, when all of the standard library that is there is loaded.
PROGRAM = """
import importlib, json, os, pkgutil, sys, types

HIDDEN = ("fcntl", "termios", "resource", "pwd", "grp", "pty", "tty", "syslog", "readline", "_posixsubprocess")
top = sys.argv[1]
every = [top, *(found.name for found in pkgutil.walk_packages(importlib.import_module(top).__path__, top + "."))]
absent = []
for name in every:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:  # each agent framework is in an environment of its own
        if ".adapters." not in name and not name.endswith(".pydantic_ai"):
            raise
        absent.append(name)
for name in [name for name in sys.modules if name.split(".")[0] == top or name in HIDDEN]:
    del sys.modules[name]

class Hides:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hides)
sys.modules.setdefault("msvcrt", types.ModuleType("msvcrt"))
sys.platform, os.name = "win32", "nt"
failed = {}
for name in (each for each in every if each not in absent):
    try:
        importlib.import_module(name)
    except Exception as error:
        failed[name] = f"{type(error).__name__}: {error}"
print(json.dumps([every, failed]))
"""

BRANCH = 'import sys\nif sys.platform == "win32":\n    import msvcrt\nelse:\n    import fcntl\n'


def imported(package: str, cwd: Path) -> tuple[list[str], dict[str, str]]:
    """All modules of the package, and why some of them cannot be imported on Windows."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(cwd), str(ROOT.parent)))}
    command = [sys.executable, "-c", PROGRAM, package]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    every, failed = json.loads(done.stdout)
    return every, failed


def test_every_module_is_imported_without_what_only_posix_has(tmp_path: Path) -> None:
    every, failed = imported("pisces", tmp_path)
    files = [file for file in ROOT.rglob("*.py") if not NO_MODULES.intersection(file.parents)]
    assert len(every) == len(files)
    assert not failed, "\n".join(f"{name}: {why}" for name, why in failed.items())


def test_an_import_for_posix_needs_a_branch(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("there nothing has to be hidden")
    files = {"__init__": "", "branch": BRANCH, "late": "def f():\n    import fcntl\n", "bare": "import fcntl\n"}
    (tmp_path / "box").mkdir()
    for name, text in {**files, "below": "from box.bare import fcntl\n", "terminal": "import pty\n"}.items():
        (tmp_path / "box" / f"{name}.py").write_text(text)
    _, failed = imported("box", tmp_path)
    assert sorted(failed) == ["box.bare", "box.below", "box.terminal"]

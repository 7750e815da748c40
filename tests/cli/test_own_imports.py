"""The short cut for our own modules loads what Python would load, and leaves everything unusual to Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pisces

_SOURCE = Path(pisces.__file__).parent

_PROGRAM = """
import sys
from pisces.cli._own_imports import _Finder, install
install(), install()
assert len([each for each in sys.meta_path if isinstance(each, _Finder)]) == 1
taken, find = [], _Finder.find_spec
def watched(self, name, path=None, target=None):
    found = find(self, name, path, target)
    taken.append((name, found is not None))
    return found
_Finder.find_spec = watched
import pisces.formats.wildcard as module, pisces.ui as package
print(dict(taken).get("pisces.formats.wildcard"), dict(taken).get("pisces.ui"), dict(taken).get("json"))
print(module.__file__, module.__cached__, module.__package__, module.__spec__.loader.get_source(module.__name__)[:3])
print(package.__file__, list(package.__path__), getattr(module, "MARK", ""))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A few of our files, in a place where they may be changed."""
    made = tmp_path / "lib" / "pisces"
    for name in ("__init__.py", "cli/__init__.py", "cli/_own_imports.py", "ui/__init__.py"):
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_SOURCE / name, made / name)
    shutil.copytree(_SOURCE / "formats", made / "formats", ignore=shutil.ignore_patterns("__pycache__"))
    return made


def _ran(copy: Path, *options: str, **env: str) -> list[str]:
    command = [sys.executable, *options, "-c", _PROGRAM]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(copy.parent), "HOME": str(copy.parent), **env}
    done = subprocess.run(command, cwd=copy.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_what_is_compiled_is_taken_and_looks_as_python_would_make_it(copy: Path) -> None:
    first, second = _ran(copy), _ran(copy)
    assert first[0] == "False False None"  # nothing was compiled: Python does it
    assert second[0] == "True True None"
    assert second[1:] == first[1:]


def test_a_changed_source_is_compiled_again(copy: Path) -> None:
    _ran(copy)
    with open(copy / "formats" / "wildcard.py", "a", encoding="utf-8") as file:
        file.write('\nMARK = "changed"\n')
    assert _ran(copy)[2].endswith(" changed")
    assert _ran(copy)[0] == "True True None"


def test_compiled_files_that_are_broken_or_moved_are_left_to_python(copy: Path) -> None:
    _ran(copy)
    (compiled,) = (copy / "formats" / "__pycache__").glob("wildcard.*.pyc")
    whole = compiled.read_bytes()
    for content in (b"", b"\0" * len(whole), whole[:3]):
        compiled.write_bytes(content)
        assert _ran(copy)[0] == "False True None"
    moved = copy.parent.parent / "elsewhere" / "pisces"
    shutil.copytree(copy, moved)
    assert str(moved) in _ran(moved)[1]


@pytest.mark.parametrize(("option", "value"), [("PYTHONPYCACHEPREFIX", "cache"), ("PYTHONOPTIMIZE", "1")])
def test_where_compiled_files_are_elsewhere_python_finds_them(copy: Path, option: str, value: str) -> None:
    program = "import sys; from pisces.cli._own_imports import install; install(); print(sys.meta_path[0])"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(copy.parent), option: value}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=copy.parent, env=environment, capture_output=True, text=True, check=True)
    assert "_own_imports" not in done.stdout


def test_no_file_has_the_name_of_a_folder_beside_it() -> None:
    """Python would take the folder, the short cut the file."""
    assert not [file for file in _SOURCE.rglob("*.py") if file.with_suffix("").is_dir()]

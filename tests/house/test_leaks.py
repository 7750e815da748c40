"""What is published says nothing about the machine it was written on."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

MACHINE_PATHS = re.compile(r"(?<![\w.~>])/(?:work|root|tmp)/")
REGISTRIES = re.compile(
    r"registry\.(?:npmjs|yarnpkg)|files\.pythonhosted|pypi\.org/simple|index-url[\s=:]+\S*://|artifactory|jfrog|npm\.pkg\.github",
    re.I,
)
THIS_FILE = "tests/house/test_leaks.py"


def test_no_machine_paths_outside_tests(root: Path) -> None:
    files = [file for file in _published(root) if not file.startswith("tests/")]
    assert not (leaks := _lines(root, files, MACHINE_PATHS)), "\n".join(leaks)


def test_no_package_registries(root: Path) -> None:
    files = [file for file in _published(root) if file != THIS_FILE]
    assert not (leaks := _lines(root, files, REGISTRIES)), "\n".join(leaks)


def _published(root: Path) -> list[str]:
    """What git tracks, or would track with the next commit."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file()]


def _lines(root: Path, files: list[str], pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{file}:{number}: {line.strip()[:120]}"
        for file in files
        for number, line in enumerate((root / file).read_text("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]

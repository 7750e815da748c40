"""The listing path imports almost nothing: asserted on what is loaded, not on the clock (docs/decisions/0001)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# All that `pisces extensions list` loads of the standard library beyond a bare start. A new name costs every start.
ALLOWED = {"__future__", "_json", "gc"}

# Named because they are the usual ways in which a start gets slow.
HEAVY = {
    "argparse",
    "asyncio",
    "dataclasses",
    "importlib.metadata",
    "inspect",
    "logging",
    "pathlib",
    "shutil",
    "socket",
} | {
    "ssl",
    "subprocess",
    "tempfile",
    "tomllib",
    "typing",
    "urllib",
    "yaml",
}

PROGRAM = """
import sys
before = set(sys.modules)
from pisces.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit as stop:
    if stop.code not in (None, 0):
        raise
sys.stderr.write("\\n".join(sorted(set(sys.modules) - before)))
"""


def _loaded(folder: Path, *arguments: str) -> set[str]:
    env = {**os.environ, "HOME": str(folder), "USERPROFILE": str(folder)}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.fixture(scope="module")
def listing(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What is loaded for a listing with one extension in it."""
    folder = tmp_path_factory.mktemp("home")
    extension = folder / ".gemini" / "extensions" / "foo"
    extension.mkdir(parents=True)
    (extension / "gemini-extension.json").write_text('{"name": "foo", "version": "1.0.0"}')
    return _loaded(folder, "extensions", "list")


def test_listing_loads_only_what_is_allowed(listing: set[str]) -> None:
    extra = {name for name in listing if name.split(".")[0] not in {*ALLOWED, "pisces"}}
    assert not extra


def test_listing_loads_nothing_heavy(listing: set[str]) -> None:
    assert not listing & HEAVY


def test_listing_loads_no_check_and_no_other_command(listing: set[str]) -> None:
    commands = {name for name in listing if name.startswith("pisces.cli.")}
    assert not {name for name in listing if name.startswith("pisces.check.")}
    assert not commands & {f"pisces.cli.{name}" for name in ("list", "why", "check", "inspect", "explain", "doctor")}


def test_the_package_itself_loads_nothing(tmp_path: Path) -> None:
    program = "import sys; before = set(sys.modules); import pisces; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pisces"]

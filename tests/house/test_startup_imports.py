"""The light paths import almost nothing: asserted on what is loaded, not on the clock (docs/decisions/0001).

Looked at in a home in which every harness has something, as a guard in an empty one guards nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run, all_harnesses
from pisces.discovery.registry import discover
from pisces.places import Places
from tests.house.full_world import full_world

# All that `pisces extensions list` loads of the standard library beyond a bare start. A new name costs every start.
ALLOWED = {"__future__", "_json", "gc"}

# What `pisces list` needs beyond that: regular expressions with what they need.
PATTERNS = set(
    """_collections _functools _operator _sre _types collections copyreg enum functools itertools keyword operator re
    reprlib types""".split()
)

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
sys.stderr.write("\\n" + " ".join(sorted(set(sys.modules) - before)))
"""


class World:
    """A home and a project in it, with something of every harness."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "home" / "code"
        self.project.mkdir(parents=True)
        full_world(self.home, self.project)

    def loaded(self, *arguments: str) -> set[str]:
        """What a command loads beyond a bare start."""
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "USERPROFILE": str(self.home)}
        command = [sys.executable, "-c", PROGRAM, *arguments]
        done = subprocess.run(command, cwd=self.project, env=env, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
        return set(done.stderr.splitlines()[-1].split())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("world").resolve())


@pytest.fixture(scope="module")
def listing(world: World) -> set[str]:
    return world.loaded("extensions", "list")


def _of_python(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.split(".")[0] != "pisces"}


def test_every_harness_has_something_in_the_world(world: World) -> None:
    places, run = Places(str(world.home), str(world.project)), Run()
    found = {provider for kind in CAPABILITIES for provider in discover(kind, places, run=run).harnesses}
    lacking = {harness.id for harness in all_harnesses()} - found
    assert not lacking, f"give these something in tests/house/full_world.py: {lacking}"


def test_every_harness_with_packages_has_one_in_the_world(world: World) -> None:
    packages = discover(CAPABILITIES[0], Places(str(world.home), str(world.project)))
    lacking = {harness.id for harness in all_harnesses() if "packages" in harness.looks} - set(packages.harnesses)
    assert not lacking, f"give these a package in tests/house/full_world.py: {lacking}"
    assert not packages.diagnostics, "what is wrong needs its place, and finding that may load more"


def test_listing_loads_only_what_is_allowed(listing: set[str]) -> None:
    assert not _of_python(listing) - ALLOWED


def test_listing_loads_no_check_and_no_other_command(listing: set[str]) -> None:
    commands = {name for name in listing if name.startswith("pisces.cli.")}
    assert not {name for name in listing if name.startswith("pisces.checking.")}
    assert not commands & {f"pisces.cli.{name}" for name in ("list", "why", "check", "inspect", "explain", "doctor")}


def test_a_full_inventory_loads_patterns_and_nothing_else(world: World) -> None:
    loaded = world.loaded("list")
    more = {name for name in _of_python(loaded) if name.split(".")[0] not in ALLOWED | PATTERNS}
    assert not more
    assert not loaded & HEAVY
    assert not {name for name in loaded if name.startswith("pisces.formats.js_regex")}, "no policy here has a pattern"
    assert "pisces.discovery.tool_names" not in loaded, "what tools of others mean is for gates and conversion"


@pytest.mark.parametrize("words", [(), ("--help",), ("extensions", "--help"), ("completion", "words", "--", "ext")])
def test_help_loads_no_command_and_nothing_of_python(world: World, words: tuple[str, ...]) -> None:
    loaded = world.loaded(*words)
    assert not _of_python(loaded) - ALLOWED
    commands = {name for name in loaded if name.startswith("pisces.cli.") and "._" not in name}
    assert commands <= {"pisces.cli.completion"}


@pytest.mark.parametrize("words", [("explain",), ("explain", "agent-header")])
def test_explaining_loads_no_file_that_reports(world: World, words: tuple[str, ...]) -> None:
    loaded = world.loaded(*words)
    assert not _of_python(loaded) - ALLOWED
    rooms = {name.split(".")[1] for name in loaded if name.count(".")}
    assert rooms <= {"__main__", "by_name", "cli", "diagnostics", "formats", "places", "ui", "value"}


def test_the_package_itself_loads_nothing(tmp_path: Path) -> None:
    program = "import sys; before = set(sys.modules); import pisces; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pisces"]

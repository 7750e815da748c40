"""Real public repositories with three or more harnesses each: what pisces lists there, and where a program differs.

The record has counts by harness, kind and state, with folder trust given and not; what `doctor` calls dangerous; and
the differences to the real programs, each of which docs/conformance.md explains. `scripts/soak repositories` runs this;
PISCES_RECORD=1 writes the record anew. Read its diff, and judge every new danger.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.real_repositories import (
    PROGRAMS,
    RECORD,
    at_home,
    checkout,
    oracle_of,
    program_differences,
    recorded,
)
from tests.conformance.workspaces.comparison import Oracle
from tests.conformance.workspaces.workspace import Workspace

REPOSITORIES = recorded()
named = pytest.mark.parametrize("name", REPOSITORIES)
RENEW = bool(os.environ.get("PISCES_RECORD"))
COMMANDS = (["doctor"], ["report", "-"], ["check"], ["list"])


def folder_of(name: str) -> Path:
    found = checkout(name, REPOSITORIES[name]["commit"])
    if isinstance(found, str):
        pytest.skip(found)
    return found


def ran(workspace: Workspace, *arguments: str) -> subprocess.CompletedProcess[str]:
    nothing = str(workspace.home / "bin")  # a harness whose program is on PATH would be listed as well
    env = {"PATH": nothing, "HOME": str(workspace.home), "LANG": "C.UTF-8"}
    argv = [sys.executable, "-m", "pisces", *arguments]
    return subprocess.run(
        argv,
        cwd=workspace.folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def same(name: str, part: str, found: Any) -> None:
    if RENEW:
        record = recorded()
        record[name][part] = found
        RECORD.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", "utf-8")
        return
    assert found == REPOSITORIES[name][part]


def counts(workspace: Workspace) -> dict[str, dict[str, int]]:
    """For each harness: how many of a kind are in which state."""
    items = json.loads(ran(workspace, "list", "--all", "--output-format", "json").stdout)["items"]
    every = Counter((each["harness"], f"{each['kind']} {each['state']}") for each in items)
    found: dict[str, dict[str, int]] = {}
    for (harness, what), number in sorted(every.items()):
        found.setdefault(harness, {})[what] = number
    return found


def test_there_are_ten_with_more_than_a_context_file_for_three_harnesses() -> None:
    def programs(found: dict[str, dict[str, int]]) -> list[str]:
        text = ("context-files", "settings")
        return [
            harness
            for harness, kinds in found.items()
            if harness not in ("agents-md", "mcp-json") and any(not kind.startswith(text) for kind in kinds)
        ]

    assert sum(len(programs(each["trusted"])) >= 3 for each in REPOSITORIES.values()) >= 10


@named
@pytest.mark.parametrize("part", ["trusted", "untrusted"])
def test_what_is_listed_is_what_was_checked(name: str, part: str, tmp_path: Path) -> None:
    workspace = at_home(tmp_path / "home", folder_of(name), trusted=part == "trusted")
    same(name, part, counts(workspace))


@named
def test_only_what_was_judged_so_is_dangerous(name: str, tmp_path: Path) -> None:
    workspace = at_home(tmp_path / "home", folder_of(name), trusted=True)
    acts = json.loads(ran(workspace, "doctor", "--output-format", "json").stdout)["acts"]
    same(name, "dangerous", sorted(f"{each['kind']} {each['name']}" for each in acts if each["dangerous"]))


@named
def test_every_command_answers(name: str, tmp_path: Path) -> None:
    workspace = at_home(tmp_path / "home", folder_of(name), trusted=True)
    items = json.loads(ran(workspace, "list", "--all", "--output-format", "json").stdout)["items"]
    names = sorted({str(each["name"]) for each in items if each["name"]})[:5]
    for arguments in (*COMMANDS, *(["why", each] for each in names)):
        answer = ran(workspace, *arguments)
        assert answer.returncode in (0, 1), f"{arguments}: {answer.stderr}"
        assert "Traceback" not in answer.stdout + answer.stderr, arguments
        assert answer.stdout or answer.stderr


@pytest.fixture(scope="module")
def oracles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Oracle]:
    scratch = tmp_path_factory.mktemp("oracles")
    return {harness: oracle_of(harness, scratch / harness) for harness in PROGRAMS if not _why_not(harness)}


def _why_not(harness: str) -> str:
    missing: str = PROGRAMS[harness].why_missing()
    return missing


@pytest.mark.skipif(not os.environ.get("PISCES_SOAK"), reason="slow: scripts/soak repositories")
@pytest.mark.parametrize("harness", PROGRAMS)
@named
def test_the_program_differs_only_where_it_is_known(
    name: str, harness: str, oracles: dict[str, Oracle], tmp_path: Path
) -> None:
    if harness not in oracles:
        pytest.skip(_why_not(harness))
    folder = folder_of(name)
    found = {
        part: program_differences(harness, oracles[harness], folder, tmp_path / part, trusted=part == "trusted")
        for part in ("trusted", "untrusted")
    }
    same(name, f"differences to {harness}", found)

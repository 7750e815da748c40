"""The two commands of the README work on a fresh machine: scripts can be run and stop at the first failure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SCRIPTS = (
    "scripts/test",
    "scripts/demo",
    "scripts/bench",
    "scripts/generate-docs",
    "scripts/renew-agent-pictures",
    ".ci/run",
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_can_be_run(root: Path, name: str) -> None:
    assert (root / name).read_text("utf-8").startswith("#!/usr/bin/env ")
    assert os.name == "nt" or os.access(root / name, os.X_OK)


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name != "scripts/generate-docs"])
def test_shell_scripts_stop_at_the_first_failure(root: Path, name: str) -> None:
    assert "\nset -euo pipefail\n" in (root / name).read_text("utf-8")

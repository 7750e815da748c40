"""kill -9 at every file-system step: afterwards the state is the old or the new one, and the next writer tidies up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ACTS = ("install", "update", "uninstall", "disable", "rollback")
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks, which this system cannot")
@pytest.mark.parametrize("act", ACTS)
def test_a_crash_leaves_the_old_or_the_new(act: str, tmp_path: Path) -> None:
    driver = str(Path(__file__).with_name("crash_driver.py"))
    done = subprocess.run(
        [sys.executable, driver, str(tmp_path), act, "1"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["problems"] == []
    assert report["old"] != report["new"]
    assert report["points"] >= {"install": 100, "update": 100, "uninstall": 90}.get(act, 3)

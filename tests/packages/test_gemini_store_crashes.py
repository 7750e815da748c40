"""kill -9 while Gemini CLI's store is changed: it has the old or the new, and the next command finishes what was begun.

Nearly all points are tried each time; `scripts/soak` tries all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EVERY = bool(os.environ.get("PISCES_SOAK"))
ACTS = ("install", "link", "update", "update-again", "update-renames", "uninstall", "enable", "disable", "rollback")
# Where the system cannot let folders change places, only the acts that need it take other steps.
PLAIN = ACTS if EVERY else ("update", "rollback")
CASES = [(act, "exchange") for act in ACTS] + [(act, "plain") for act in PLAIN]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks, which this system cannot")
@pytest.mark.parametrize(("act", "system"), CASES)
def test_a_crash_leaves_the_old_or_the_new(act: str, system: str, tmp_path: Path) -> None:
    stride = "2" if act == "update-again" and not EVERY else "1"  # it has few steps that `update` has not
    command = [sys.executable, "-m", "tests.packages.gemini_crash_driver", str(tmp_path), act, stride, system]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["problems"] == []
    assert report["changes"]
    assert report["points"] >= 3

"""kill -9 or a full disk while something is converted, installed or taken back: the next run has the new, or gives
every byte back. A full disk changes nothing.
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
STRIDE = "1" if EVERY else "5"
ACTS = (
    "install-bare",
    "install-used",
    "update-used",
    "uninstall-bare",
    "uninstall-used",
    "convert-new",
    "convert-again",
)
CASES = [(act, fault) for act in ACTS for fault in ("kill", "full") if EVERY or fault == "kill" or "used" in act]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks, which this system cannot")
@pytest.mark.parametrize(("act", "fault"), CASES)
def test_a_crash_is_mended_or_taken_back(act: str, fault: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.converting.install_crash_driver", str(tmp_path), act, STRIDE, fault]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["problems"] == []
    assert report["changes"]
    assert report["points"] >= 3

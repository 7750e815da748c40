"""kill -9 while Gemini CLI's store is changed: it has the old or the new, and the next command finishes what was begun.

Not every point is tried each time; `scripts/soak` tries them all.
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
STRIDES = {
    "install": 13,
    "link": 4,
    "update": 11,
    "update-again": 17,
    "uninstall": 9,
    "enable": 1,
    "disable": 2,
    "rollback": 1,
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver forks, which this system cannot")
@pytest.mark.parametrize("act", STRIDES)
@pytest.mark.parametrize("system", ["exchange", "plain"])
def test_a_crash_leaves_the_old_or_the_new(act: str, system: str, tmp_path: Path) -> None:
    if system == "plain" and not EVERY and act not in ("update", "rollback"):
        pytest.skip("the same steps as with `exchange`; scripts/soak tries them")
    stride = "1" if EVERY else str(STRIDES[act])
    command = [sys.executable, "-m", "tests.packages.gemini_crash_driver", str(tmp_path), act, stride, system]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["problems"] == []
    assert report["changes"]
    assert report["points"] >= 3

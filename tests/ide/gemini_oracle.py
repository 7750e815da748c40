"""The real Gemini CLI, asked about editors: what it tells the model, which process and which companion it takes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

PEERS = Path(os.environ.get("PISCES_PEERS") or Path(__file__).resolve().parents[2] / ".peers")
GEMINI = PEERS / "node_modules" / "@google" / "gemini-cli"
LONGEST = 120  # seconds: an answer that never comes ends the oracle, and with it the test
SCRIPT = Path(__file__).with_name("ide_oracle.mjs")

needs_gemini = pytest.mark.skipif(
    not shutil.which("node") or not GEMINI.is_dir(),
    reason="needs node and the real Gemini CLI: npm install --prefix .peers @google/gemini-cli@0.61.0, or PISCES_PEERS",
)


def oracle_command() -> list[str]:
    return [shutil.which("node") or "node", str(SCRIPT), str(GEMINI)]


class Oracle:
    def __enter__(self) -> Oracle:
        self._node = subprocess.Popen(oracle_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._watchdog = threading.Timer(LONGEST, self._node.kill)
        self._watchdog.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._watchdog.cancel()
        self._node.communicate(timeout=20)

    def ask(self, **case: Any) -> Any:
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(json.dumps(case).encode() + b"\n")
        self._node.stdin.flush()
        line = self._node.stdout.readline()
        assert line, "the oracle has ended"
        return json.loads(line)

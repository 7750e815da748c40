"""Starts the program `oracle.py` with the interpreter that has the official SDKs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.adapters.frameworks import framework

ROUNDS = int(os.environ.get("PISCES_ROUNDS", "25"))  # ./scripts/soak models: thousands

_PROGRAM = Path(__file__).with_name("oracle.py")


def oracle(*words: str, stdin: str = "") -> list[dict[str, Any]]:
    """The lines that it prints. Skips where it is not installed."""
    python = framework("oracles").python
    done = subprocess.run(
        [python, str(_PROGRAM), *words], input=stdin, capture_output=True, text=True, timeout=300 + ROUNDS
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]

"""Runs a few lines of JavaScript with the virtual packages at hand, in bun or node, and gives back what they show."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
INDEX = ROOT / "src/pisces/modules/sidecar/js/virtual/index.mjs"
CASES = Path(__file__).parent
PEERS = Path(os.environ.get("PISCES_PEERS") or ROOT / ".peers").resolve() / "node_modules"
PRELUDE = """
const { virtualModules, bind } = await import(process.env.VIRTUAL_INDEX);
const load = (specifier) => virtualModules[specifier]();
const { writeFileSync } = await import("node:fs");
const show = (value) => writeFileSync(process.env.SHOWN, JSON.stringify(value));
"""


@cache
def bun() -> str | None:
    found = shutil.which("bun", path=str(PEERS / ".bin"))
    if found is None or Path(found).stat().st_size < 1_000_000:  # npm's own `bun` is a stand-in until it is installed
        found = next(map(str, sorted(PEERS.glob("@oven/bun-*/bin/bun*"))), None) or shutil.which("bun")
    return found


def shown(folder: Path, script: str, **env: str) -> Any:
    """What the script shows, as JSON. Skips where neither bun nor node is."""
    program = bun() or shutil.which("node")
    if program is None:
        pytest.skip("needs bun or node")
    file = folder / "script.mjs"
    file.write_text(PRELUDE + script, "utf-8")
    answer = folder / "shown.json"
    given = {**os.environ, "VIRTUAL_INDEX": str(INDEX), "CASES": str(CASES), "SHOWN": str(answer), **env}
    done = subprocess.run([program, str(file)], capture_output=True, text=True, timeout=60, env=given, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(answer.read_text("utf-8"))


def peer(name: str) -> Path:
    """The folder of an npm package; skips where it is not installed."""
    if not (PEERS / name / "package.json").is_file():
        pytest.skip(f"{name} is not installed: scripts/setup-peers does that, or PISCES_PEERS")
    return PEERS / name

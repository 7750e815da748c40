"""Hooks of a plugin, converted for Gemini CLI and run by its own registry, planner, runner and aggregator."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, TypedDict

import pytest

from pisces.converting.convert import ConvertRequest, convert
from pisces.converting.output import apply, planned
from pisces.places import Places
from tests.peer_programs import GEMINI

ORACLE = Path(__file__).with_name("hook_runner_oracle.mjs")
NODE = shutil.which("node")

needs_gemini = pytest.mark.skipif(
    NODE is None or not GEMINI.exists(), reason="needs node and Gemini CLI (scripts/setup-peers)"
)


class HookCase(TypedDict, total=False):
    id: str
    extension: str
    event: str
    cwd: str
    session: str
    fields: dict[str, Any]
    turns: list[dict[str, Any]]


def converted(folder: Path, hooks: object, files: dict[str, str] | None = None, name: str = "guard") -> Path:
    """The extension that a plugin with these hooks becomes."""
    source, out = folder / "plugin", folder / "extension"
    texts = {
        ".claude-plugin/plugin.json": json.dumps({"name": name, "version": "1.0.0"}),
        "hooks/hooks.json": json.dumps({"hooks": hooks}),
        **(files or {}),
    }
    for path, text in texts.items():
        whole = source / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_text(text, "utf-8")
    places = Places(str(folder), str(folder), {})
    made = convert(ConvertRequest(str(source), "gemini"), places)
    apply(planned(made.files, made.folder, str(out), {}), str(out))
    return out


def verdicts(cases: list[HookCase], folder: Path, **env: str) -> dict[str, dict[str, Any]]:
    """What the real program makes of each case, in one process."""
    file = folder / "cases.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in cases), "utf-8")
    home = folder / "home"
    home.mkdir(exist_ok=True)
    everything = {**os.environ, "HOME": str(home), "USERPROFILE": str(home), **env}
    argv = [str(NODE), str(ORACLE), str(GEMINI), str(file)]
    done = subprocess.run(argv, capture_output=True, text=True, env=everything, timeout=300, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return {each["id"]: each for each in found}


def shell_call(command: str, **more: Any) -> dict[str, Any]:
    return {"tool_name": "run_shell_command", "tool_input": {"command": command, **more}}

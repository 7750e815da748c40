"""The permission cases that were recorded from Claude Code: the same verdict, or a stricter one by a rule of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.corpus import corpus_folder
from tests.gates.claude_scene import STRICTNESS, ClaudeScene

# The number of the rule in docs/conformance.md that makes ours stricter.
STRICTER = {
    "perm-deny-find-exec": 7,
    "perm-deny-flag-between": 7,
    "perm-deny-sh-c": 7,
    "perm-task-deny-old-name": 1,  # there the tool itself refuses, so the call counts as one that ran
    "perm-unknown-mode": 4,
}
MODES = {"acceptEdits": "edits", "plan": "plan", "bypassPermissions": "all"}
DECISIONS = {"ran": 0, "asked": 1, "denied": 2}


def rows() -> list[dict[str, Any]]:
    path = corpus_folder() / "hook-cases.jsonl"
    if not path.exists():
        return []
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [each for each in found if each["kind"] == "permission" and each["dialect"] == "claude"]


@pytest.mark.skipif(not rows(), reason="needs PISCES_CORPUS")
@pytest.mark.parametrize("row", rows(), ids=lambda row: str(row["id"]))
def test_a_recorded_call_gets_the_same_verdict_or_a_stricter_one(row: dict[str, Any], tmp_path: Path) -> None:
    config, (call, *_) = row["config"], row["calls"]
    user, project, local = (config.get(key) for key in ("settings", "project_settings", "local_settings"))
    scene = ClaudeScene(tmp_path, user, project, local, config.get("files", {}))
    mode = _mode(config)
    verdict = scene.verdict(call["tool"], call["input"], MODES.get(mode, "ask"))
    real = 1 if mode == "dontAsk" and call["verdict"] == "denied" else DECISIONS[call["verdict"]]
    ours = STRICTNESS[verdict.decision]
    assert ours >= real, f"looser: {verdict}"
    assert (ours > real) == (row["id"] in STRICTER), verdict
    if ours == real == STRICTNESS["deny"]:
        expected = str(call["told"]).replace("@WORK@", str(scene.work))
        assert verdict.why == expected


def _mode(config: dict[str, Any]) -> str:
    arguments = config.get("args", [])
    if "--permission-mode" in arguments:
        return str(arguments[arguments.index("--permission-mode") + 1])
    return str(config["settings"].get("permissions", {}).get("defaultMode", ""))

"""Cases of rules alone: policies and calls, without a session. A file of rules, and what it says about one call."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pisces.harnesses.codex.rules.files import decision_on, rules_at
from pisces.harnesses.gemini.permissions import program_book
from pisces.harnesses.gemini.rules.book import GeminiProgram
from tests.gates.policy_rows import rule_behind, scene_of, use_of

_LINES = 7  # our rule: commands are judged as they run
_WORDS = {"ask": "ask_user"}


def policy_decision(row: Mapping[str, Any]) -> tuple[str, int]:
    """As Gemini CLI decides with these files, with its own rules where the case has them."""
    with tempfile.TemporaryDirectory() as folder:
        scene = scene_of(row["config"], Path(folder).resolve())
        book = program_book(scene) if row["config"].get("defaults") else GeminiProgram(scene)
        verdict = book.judged(use_of(dict(row), scene))
        assert verdict is not None
        return _WORDS.get(verdict.decision, verdict.decision), verdict.rule or rule_behind(dict(row))


def execpolicy_decision(row: Mapping[str, Any]) -> tuple[str, int]:
    """As `codex execpolicy check` decides about these words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.rules"
        path.write_text(row["config"]["rules"], "utf-8")
        text, wrong = rules_at(str(path))
        if wrong:
            return "load error", _LINES
        resolve = "--resolve-host-executables" in row["config"]["args"]
        decision, _ = decision_on(tuple(row["call"]), [text], resolve=resolve)
        return decision or "no match", _LINES

"""Made-up rules and calls: never looser than the real engines, and the same where no named reason makes us stricter."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.harnesses.codex.rules.files import decision_on, rules_text
from pisces.harnesses.gemini.permissions import bare_book, program_book
from tests.conformance import policy_cases, rules_cases
from tests.gates.policy_rows import STRICTNESS, scene_of, use_of
from tests.peer_programs import CODEX, GEMINI

COUNT = int(os.environ.get("PISCES_ODD_RULES") or 400)
SEED = int(os.environ.get("PISCES_ODD_SEED") or 1)
ORACLE = Path(__file__).with_name("policy_oracle.mjs")
needs_gemini = pytest.mark.skipif(
    not shutil.which("node") or not (GEMINI / "bundle").is_dir(), reason="needs node and the real Gemini CLI"
)
needs_codex = pytest.mark.skipif(CODEX is None, reason="needs the real Codex")

# Who is stricter here, and why: a part of the reason or of the rule that decided.
REASONS = (
    "cannot be read",  # the line: an allow rule is about plain commands only
    "never ends",
    "words whose meaning the line changes",
    "needs a confirmation",  # a dangerous command anywhere in the line
)


@needs_gemini
def test_policies_are_never_looser_than_those_of_gemini_cli(tmp_path: Path) -> None:
    rows = policy_cases.cases(COUNT, SEED)
    answers = asked(rows, tmp_path)
    looser, unexplained, equal = [], [], 0
    for number, (row, answer) in enumerate(zip(rows, answers, strict=True)):
        if "decision" not in answer:
            continue  # the program itself fails with such a file
        scene = scene_of(row, tmp_path / str(number))
        book = program_book(scene) if row.get("defaults") else bare_book(scene)
        verdict = book.judged(use_of(row, scene))
        wanted = answer["decision"].replace("ask_user", "ask")
        assert verdict is not None
        if STRICTNESS[verdict.decision] < STRICTNESS[wanted]:
            looser.append((wanted, verdict, row))
        elif verdict.decision == wanted:
            equal += 1
        elif verdict.decision != "deny" and not any(part in verdict.why for part in REASONS) and not verdict.who:
            unexplained.append((wanted, verdict, row))
    assert not looser, json.dumps(looser[0], default=str)
    assert not unexplained, json.dumps(unexplained[0], default=str)
    assert equal > 0.9 * COUNT


def asked(rows: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    file = folder / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    command = ["node", str(ORACLE), str(GEMINI), str(file)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    return [json.loads(line) for line in told.splitlines()]


@needs_codex
def test_rules_files_mean_the_same_to_codex(tmp_path: Path) -> None:
    """Where Codex refuses a file so do we; a few things that it takes are refused here, which allows nothing."""
    odd = [(f"{each}\nprefix_rule(pattern=['git'], decision='allow')\n", ["git"]) for each in rules_cases.ODD]
    rows = [*odd, *rules_cases.cases(COUNT // 4, SEED)]
    differing = []
    for number, (text, argv) in enumerate(rows):
        read = rules_text(text)
        found = "load error" if read.flaw else decision_on(argv, [read], resolve=True)[0] or "no match"
        wanted = checked(text, argv, tmp_path / f"{number}.rules")
        if found != wanted:
            differing.append((wanted, found, text, argv))
    assert all(found == "load error" for _, found, *_ in differing), differing[0]
    assert len(differing) < 0.05 * len(rows)


def checked(text: str, argv: list[str], file: Path) -> str:
    file.write_text(text, "utf-8")
    command = [str(CODEX), "execpolicy", "check", "--resolve-host-executables", "--rules", str(file), "--", *argv]
    env = {"HOME": str(file.parent), "PATH": os.environ["PATH"]}
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)
    return "load error" if told.returncode else json.loads(told.stdout).get("decision", "no match")

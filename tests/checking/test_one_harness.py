"""`check --harness NAME`: fails exactly where that harness refuses or loses something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.test_command_line import run
from tests.checking.trees import AGENT, SKILL, Tree, agent_plugin, claude, gemini


def told(folder: Path, tree: Tree, *harnesses: str) -> tuple[int, list[str]]:
    words = [word for name in harnesses for word in ("--harness", name)]
    code, out, _ = run(folder, tree, "box", "--output-format", "json", *words)
    return code, [each["code"] for each in json.loads(out)["diagnostics"] if each["severity"] == "error"]


@pytest.mark.parametrize(
    ("harness", "codes"),
    [("claude", []), ("codex", ["not-loaded"]), ("copilot", ["not-loaded"]), ("gemini", ["not-for-harness"])],
)
def test_agents_of_a_claude_plugin(harness: str, codes: list[str], tmp_path: Path) -> None:
    assert told(tmp_path, claude({"agents/reviewer.md": AGENT}), harness) == (1 if codes else 0, codes)


def test_a_manifest_that_does_not_install_is_refused_by_whoever_reads_it(tmp_path: Path) -> None:
    tree = agent_plugin({"skills/review/SKILL.md": SKILL}, name="My Box")
    assert told(tmp_path, tree, "agent-plugins") == (1, ["agent-plugin-manifest"])
    assert told(tmp_path, tree, "copilot") == (1, ["refused-whole"])


def test_several_harnesses_may_be_asked(tmp_path: Path) -> None:
    tree: Tree = {**claude({"agents/reviewer.md": AGENT}), **gemini(settings={})}
    assert told(tmp_path, tree, "claude", "gemini") == (1, ["manifest-breaks-install"])


def test_a_workspace_is_judged_by_what_that_harness_reads(tmp_path: Path) -> None:
    tree: Tree = {".claude/agents/reviewer.md": "---\nname: reviewer\n---\n", ".gemini/commands/fix.toml": "prompt = "}
    assert told(tmp_path, tree, "claude") == (1, ["subagent-incomplete"])
    assert told(tmp_path, tree, "gemini") == (1, ["command-syntax"])


def test_the_table_never_says_yes_where_the_package_does_not_install(tmp_path: Path) -> None:
    _, out, _ = run(tmp_path, agent_plugin({"skills/review/SKILL.md": SKILL}, name="My Box"), "box", "--harnesses")
    row = next(line for line in out.splitlines() if line.split()[:2] == ["skills", "review"])
    assert "yes" not in row.split()


def test_an_unknown_harness_is_answered_with_what_was_meant(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, gemini(), "box", "--harness", "cluade")
    assert (code, out) == (2, "")
    assert "did you mean `claude`?" in err


def test_json_says_which_version_a_verdict_belongs_to(tmp_path: Path) -> None:
    _, out, _ = run(tmp_path, claude(), "box", "--output-format", "json")
    assert json.loads(out)["versions"]["claude"] == "2.1.325"

"""For each component and each harness: does it load there, and if not, why."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.by_name import export_of, files_called, folders_with, names_in
from pisces.checking.acceptance import Acceptance, acceptances
from pisces.checking.checked import Checked
from pisces.checking.lint import LINTS, Lint
from pisces.discovery.harness import HARNESSES
from tests.checking.planting import checked
from tests.checking.trees import AGENT, HOOKS, SKILL, Tree, agent_plugin, claude, command, gemini

CLAUDE_AGENT = AGENT.replace("name:", "tools: Read, Grep\nname:")


def verdict(result: Checked, name: str, harness: str) -> str:
    """Nothing where the component loads, else the reason."""
    component = next(each for target in result.targets for each in target.components if each.name == name)
    found = next(each for each in component.verdicts if each.harness == harness)
    assert found.loads is (not found.reason)
    return found.reason


@pytest.mark.parametrize("package", files_called(HARNESSES, "checking"))
def test_a_harness_says_what_it_loads(package: str) -> None:
    folder = package.rpartition(".")[2]
    assert isinstance(export_of(package, "checking", "ACCEPTANCE"), Acceptance)
    assert folder.replace("_", "-") in acceptances(), "the folder is named for the id"


@pytest.mark.parametrize(
    ("folder", "name"),
    [(each, name) for each in (LINTS, *folders_with(HARNESSES, "lints")) for name in names_in(each)],
)
def test_a_lint_file_exports_its_lint(folder: str, name: str) -> None:
    assert isinstance(export_of(folder, name, "LINT"), Lint)


def test_every_component_has_a_verdict_of_every_harness(tmp_path: Path) -> None:
    tree: Tree = {**gemini({"skills/review/SKILL.md": SKILL, "GEMINI.md": "Hi"}), **claude({"commands/fix.md": "Fix"})}
    harnesses = list(acceptances())
    components = [each for target in checked(tmp_path, tree).targets for each in target.components]
    assert [each.kind for each in components] == ["commands", "skills", "context-files"]
    assert all([verdict.harness for verdict in each.verdicts] == harnesses for each in components)


@pytest.mark.parametrize(
    ("tree", "name", "harness", "reason"),
    [
        (command('prompt = "x"'), "/fix", "gemini", ""),
        (command('prompt = "x"'), "/fix", "qwen", ""),
        (command('prompt = "x"'), "/fix", "claude", "there is no .claude-plugin/plugin.json"),
        (command("prompt = "), "commands/fix.toml", "gemini", "the value is missing"),
        (claude({"commands/fix.md": "Fix"}), "/box:fix", "claude", ""),
        (claude({"commands/fix.md": "Fix"}), "/box:fix", "codex", ""),
        (claude({"commands/fix.md": "Fix"}), "/box:fix", "gemini", "there is no gemini-extension.json"),
        (claude({"agents/reviewer.md": CLAUDE_AGENT}), "reviewer", "claude", ""),
        (claude({"agents/reviewer.md": CLAUDE_AGENT}), "reviewer", "codex", "plugins bring skills"),
        (claude({"agents/reviewer.md": CLAUDE_AGENT}), "reviewer", "copilot", "it reads `agents/*.agent.md` only"),
        ({**gemini(), **claude({"agents/reviewer.md": CLAUDE_AGENT})}, "reviewer", "gemini", "`tools` must be a list"),
        ({**gemini(), **claude({"commands/fix.md": "Fix"})}, "/box:fix", "gemini", "it reads `.toml` files"),
        (agent_plugin({"skills/review/SKILL.md": SKILL}), "review", "agent-plugins", ""),
        (agent_plugin({"skills/review/SKILL.md": SKILL}), "review", "cursor", ""),
        (agent_plugin({"skills/other/SKILL.md": SKILL}), "other", "agent-plugins", "`name` is `review`"),
        (agent_plugin({"skills/other/SKILL.md": SKILL}), "other", "copilot", ""),
        (gemini({"skills/review/SKILL.md": SKILL}), "review", "pi", ""),
        (gemini({"skills/review/SKILL.md": SKILL}), "review", "opencode", "it installs no packages but its own"),
    ],
)
def test_verdicts(tree: Tree, name: str, harness: str, reason: str, tmp_path: Path) -> None:
    given = verdict(checked(tmp_path, tree), name, harness)
    assert given.startswith(reason) if reason else given == ""


def test_a_bare_skill_loads_in_every_harness_but_agent_plugins(tmp_path: Path) -> None:
    result = checked(tmp_path, {"review/SKILL.md": SKILL}, "review")
    refusing = [harness for harness in acceptances() if verdict(result, "review", harness)]
    assert refusing == ["agent-plugins"]


def test_a_header_that_is_not_yaml_loads_only_where_headers_are_mended(tmp_path: Path) -> None:
    result = checked(tmp_path, {"review/SKILL.md": SKILL.replace("Reviews", "Use when: it reviews")}, "review")
    loading = [harness for harness in acceptances() if not verdict(result, "review", harness)]
    assert {"claude", "codex"} <= set(loading)
    assert "gemini" not in loading


def test_a_hook_loads_where_its_event_exists(tmp_path: Path) -> None:
    hooks = '{"hooks": {"%s": [{"hooks": [{"type": "command", "command": "true"}]}]}}'
    result = checked(tmp_path, {**gemini(), **claude({HOOKS: hooks % "PreToolUse"})})
    assert verdict(result, "PreToolUse", "claude") == ""
    assert verdict(result, "PreToolUse", "codex") == ""
    assert verdict(result, "PreToolUse", "gemini") == "it has no event `PreToolUse`"

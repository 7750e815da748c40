"""What a path means: a package, a folder of packages, a skill, a single file, or the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.checking.checked import Checked
from tests.checking.planting import checked, codes
from tests.checking.trees import AGENT, HOOKS, MANIFEST, SKILL, Tree, claude, gemini, hook


def below(folder: str, tree: Tree) -> Tree:
    return {f"{folder}/{name}": content for name, content in tree.items()}


def targets(result: Checked) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(target.kind, Path(target.path).name, target.formats) for target in result.targets]


def test_the_current_folder_is_checked_when_no_path_is_given(tmp_path: Path) -> None:
    assert targets(checked(tmp_path, gemini())) == [("package", "project", ("gemini",))]


def test_a_folder_with_several_manifests_is_checked_as_each(tmp_path: Path) -> None:
    result = checked(tmp_path, {**gemini(name="project"), **claude()})
    assert targets(result) == [("package", "project", ("gemini", "claude-plugin"))]


def test_packages_up_to_three_levels_below_are_found(tmp_path: Path) -> None:
    tree = {**below("one", gemini()), **below("a/b/three", gemini()), **below("a/b/c/four", gemini())}
    assert [name for _, name, _ in targets(checked(tmp_path, tree))] == ["one", "three"]


def test_dependencies_and_hidden_folders_are_not_entered(tmp_path: Path) -> None:
    tree = {**below("node_modules/x", gemini()), **below(".cache/y", gemini()), **below("z", gemini())}
    assert [name for _, name, _ in targets(checked(tmp_path, tree))] == ["z"]


def test_a_bare_skill_is_a_target(tmp_path: Path) -> None:
    assert targets(checked(tmp_path, {"review/SKILL.md": SKILL}, "review")) == [("package", "review", ("skill",))]


def test_a_file_means_the_package_around_it(tmp_path: Path) -> None:
    tree = below("box", gemini({"skills/review/SKILL.md": SKILL}))
    result = checked(tmp_path, tree, "box/skills/review/SKILL.md", f"box/{MANIFEST}")
    assert targets(result) == [("package", "box", ("gemini",))]


def test_a_file_in_a_hidden_folder_does_not_belong_to_the_package_around_it(tmp_path: Path) -> None:
    tree = {**gemini(), ".gemini/commands/fix.toml": "prompt = "}
    result = checked(tmp_path, tree, ".gemini/commands/fix.toml")
    assert targets(result) == [("file", "fix.toml", ())]
    assert codes(result) == ["command-syntax"]


@pytest.mark.parametrize(
    ("path", "content", "code"),
    [
        ("commands/fix.toml", 'prompt = "Fix $ARGUMENTS"', "command-arguments"),
        ("policies/safety.toml", '[[rule]]\ntoolName = "x"', "policy-shape"),
        ("anywhere.toml", '[[rule]]\ntoolName = "x"', "policy-shape"),
        ("agents/reviewer.md", AGENT.replace("name:", "color: blue\nname:"), "agent-header"),
        (".claude/agents/reviewer.md", "---\nname: reviewer\n---\n", "subagent-incomplete"),
        ("commands/fix.md", "---\ndescription: Use: this\n---\n", "header-not-yaml"),
        (HOOKS, '{"hooks": {"BeforeTool": {}}}', "hook-definition"),
        (HOOKS, '{"hooks": {"PreToolUse": {}}}', "claude-hook-shape"),
        (HOOKS, '{"version": 1, "hooks": {"PreToolUse": {}}}', "flat-hook-shape"),
        (HOOKS, '{"hooks": {"SessionStart": {}}}', "hook-definition"),
        (".claude/settings.json", '{"hooks": {"SessionStart": {}}}', "claude-hook-shape"),
        (".claude/copy/.gemini/settings.json", '{"hooks": {"PreToolUse": {}, "SessionStart": {}}}', "hook-definition"),
        ("agents/AGENTS.md", "@./missing.md", "context-import"),
        (".mcp.json", '{"mcpServers": {"docs": 1}}', "mcp-server-entry"),
        ("GEMINI.md", "@./missing.md", "context-import"),
        ("notes.md", "hello", "nothing-to-check"),
    ],
)
def test_a_file_of_no_package_is_checked_alone(path: str, content: str, code: str, tmp_path: Path) -> None:
    result = checked(tmp_path, {path: content}, path)
    assert [kind for kind, _, _ in targets(result)] == ["file"]
    assert code in codes(result)


def test_only_the_file_that_was_asked_for_is_checked(tmp_path: Path) -> None:
    tree: Tree = {"commands/good.toml": 'prompt = "x"', "commands/bad.toml": "prompt = "}
    assert codes(checked(tmp_path, tree, "commands/good.toml")) == []


def test_a_folder_that_is_no_package_is_checked_as_a_workspace(tmp_path: Path) -> None:
    tree: Tree = {
        ".gemini/commands/fix.toml": 'prompt = "Fix $ARGUMENTS"',
        ".gemini/settings.json": hook("SessionStart", "startup|clear")[HOOKS],
        ".claude/agents/reviewer.md": "---\nname: reviewer\n---\n",
    }
    result = checked(tmp_path, tree)
    assert targets(result) == [("workspace", "project", ())]
    assert {"command-arguments", "hook-matcher-value", "subagent-incomplete"} <= set(codes(result))


def test_a_workspace_says_nothing_about_what_the_user_has_elsewhere(tmp_path: Path) -> None:
    broken = tmp_path / "home" / ".gemini" / "commands" / "fix.toml"
    broken.parent.mkdir(parents=True)
    broken.write_text("prompt = ")
    assert codes(checked(tmp_path, {".gemini/commands/good.toml": 'prompt = "x"'})) == []


def test_packages_of_a_workspace_are_checked_as_packages(tmp_path: Path) -> None:
    tree = below(".gemini/extensions/box", gemini({"commands/fix.toml": "prompt = "}))
    result = checked(tmp_path, tree)
    assert ("package", "box", ("gemini",)) in targets(result)
    assert "command-syntax" in codes(result)


def test_a_folder_with_nothing_in_it_is_an_error_when_it_was_asked_for(tmp_path: Path) -> None:
    assert codes(checked(tmp_path / "1", {"src/": ""}, "src")) == ["nothing-to-check"]
    assert codes(checked(tmp_path / "2", {"src/": ""})) == []


@pytest.mark.parametrize(
    ("name", "right"), [("skill.md", "SKILL.md"), ("Gemini-Extension.json", "gemini-extension.json")]
)
def test_a_file_whose_name_has_other_capital_letters_is_named_with_the_right_one(
    tmp_path: Path, name: str, right: str
) -> None:
    found = checked(tmp_path, {f"box/{name}": "---\nname: box\ndescription: A box.\n---\nUse it.\n"}, "box")
    assert [(each.code, each.hint) for each in found.diagnostics] == [
        ("nothing-to-check", f"rename `{name}` to `{right}`")
    ]


def test_a_target_is_checked_once_however_often_it_is_named(tmp_path: Path) -> None:
    result = checked(tmp_path, below("box", gemini(name="no spaces")), ".", "box", f"box/{MANIFEST}")
    assert codes(result) == ["manifest-invalid"]

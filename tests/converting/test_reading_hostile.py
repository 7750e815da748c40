"""Packages of somebody who means harm: nothing outside of the folder is read, and nothing stops the rest."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from pisces.converting.reading import ReadPlugin, read_plugin
from pisces.files import MOST_FOLDERS
from tests.converting.test_convert import places_of, put

SKILL = "---\nname: notes\ndescription: Notes\n---\nWrite.\n"
MANIFEST = '{"name": "demo", "version": "1.0.0"}'


def demo(folder: Path, files: dict[str, str]) -> Path:
    return put(folder / "demo", {".claude-plugin/plugin.json": MANIFEST, "skills/good/SKILL.md": SKILL, **files})


def read(folder: Path) -> ReadPlugin:
    return read_plugin(str(folder / "demo"), places_of(folder))


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    return put(tmp_path / "outside", {"SKILL.md": SKILL, "x.md": "secret", "deep/s/SKILL.md": SKILL})


def test_links_out_of_the_package_are_named_and_not_followed(tmp_path: Path, secret: Path) -> None:
    root = demo(tmp_path, {})
    (root / "skills" / "bad").symlink_to(secret)
    (root / "agents").symlink_to(secret)
    (root / "commands").mkdir()
    (root / "commands" / "x.md").symlink_to(secret / "x.md")
    (root / "hooks").symlink_to(secret)
    plugin = read(tmp_path).plugin
    assert [each.name for each in plugin.skills] == ["good"]
    assert not plugin.agents
    assert not plugin.commands
    assert {each.path for each in plugin.files} == {".claude-plugin/plugin.json", "skills/good/SKILL.md"}
    links = {each.path for each in plugin.fates if each.code == "link-outside" and each.subject.startswith("link")}
    assert links == {"agents", "commands/x.md", "hooks", "skills/bad"}


def test_links_inside_of_the_package_count_once_and_not_in_circles(tmp_path: Path) -> None:
    root = demo(tmp_path, {"shared/a.md": "x"})
    (root / "skills" / "good" / "again").symlink_to(root / "skills")
    (root / "skills" / "good" / "a.md").symlink_to(root / "shared" / "a.md")
    plugin = read(tmp_path).plugin
    assert [each.name for each in plugin.skills] == ["good"]
    assert "skills/good/a.md" in plugin.skills[0].files
    assert len(plugin.files) < 10


def test_folders_that_are_not_read_any_more_are_named(tmp_path: Path) -> None:
    root = demo(tmp_path, {})
    for number in range(MOST_FOLDERS):
        (root / "data" / str(number)).mkdir(parents=True)
    (found,) = (each for each in read(tmp_path).plugin.fates if each.code == "files-left-out")
    assert found.severity == "error"
    assert found.path.startswith("data/")


def test_folders_that_are_too_deep_are_named(tmp_path: Path) -> None:
    root = demo(tmp_path, {})
    deep = "/".join(["d"] * 23)
    put(root, {f"{deep}/kept.md": "x", f"{deep}/d/lost.md": "x"})
    plugin = read(tmp_path).plugin
    assert f"{deep}/kept.md" in {each.path for each in plugin.files}
    assert [each.path for each in plugin.fates if each.code == "files-left-out"] == [f"{deep}/d"]


@pytest.mark.parametrize("path", ["./../outside/x.md", "../outside", "/etc/passwd", "./a/../../outside/x.md", "./\0"])
@pytest.mark.parametrize("key", ["commands", "agents", "skills", "hooks", "mcpServers", "lspServers", "outputStyles"])
def test_paths_of_the_manifest_stay_in_the_package(tmp_path: Path, secret: Path, key: str, path: str) -> None:
    values = {"name": "demo", "version": "1.0.0", key: [path]}
    root = demo(tmp_path, {".claude-plugin/plugin.json": json.dumps(values)})
    assert secret.exists()
    plugin = read(tmp_path).plugin
    assert "secret" not in repr(plugin)
    assert [each.name for each in plugin.skills] == ["good"]
    assert root.exists()


def test_a_giant_file_and_a_pipe_leave_the_rest(tmp_path: Path) -> None:
    root = demo(tmp_path, {"commands/big.md": "x" * (9 * 1024 * 1024), "commands/small.md": "x"})
    if sys.platform != "win32":
        os.mkfifo(root / "commands" / "pipe.md")
    plugin = read(tmp_path).plugin
    assert [each.name for each in plugin.commands] == ["small"]


def test_what_may_not_be_read_is_a_diagnostic(tmp_path: Path) -> None:
    root = demo(tmp_path, {"commands/a.md": "x", "hooks/hooks.json": "{}"})
    for name in ("commands/a.md", "hooks/hooks.json"):
        (root / name).chmod(0)
    if os.access(root / "commands" / "a.md", os.R_OK):
        pytest.skip("root may read everything")
    found = read(tmp_path)
    assert any(each.path.endswith("a.md") for each in found.diagnostics)


def test_yaml_bombs_and_deep_nesting_end_soon(tmp_path: Path) -> None:
    levels = "".join(f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 9)}]\n" for name in "bcdefghijk")
    files = {
        "agents/bomb.md": f"---\na: &a [x]\n{levels}---\nx",
        "agents/deep.md": f"---\na: {'[' * 5000}{']' * 5000}\n---\nx",
        "hooks/hooks.json": '{"hooks": ' + "[" * 5000 + "]" * 5000 + "}",
        ".mcp.json": '{"a":' * 3000 + "1" + "}" * 3000,
    }
    demo(tmp_path, files)
    started = time.process_time()
    plugin = read(tmp_path).plugin
    assert time.process_time() - started < 20
    assert {each.name for each in plugin.agents} == {"bomb", "deep"}
    assert [each.name for each in plugin.skills] == ["good"]


@pytest.mark.parametrize(
    "manifest",
    [
        '{"name": 5, "version": [], "description": {}, "commands": 5, "skills": {}, "agents": [[]]}',
        '{"name": 5, "hooks": [5, null, {"Stop": 5}, "./x"]}',
        '{"name": null, "userConfig": [1], "mcpServers": [null, 5, {"a": 5}], "channels": {}, "dependencies": 5}',
        '{"name": "../../x", "monitors": {"monitors": 5}, "lspServers": [1], "settings": []}',
        '{"name": "x", "commands": {"a": 1, "b": {}, "c": {"source": "./../x"}}}',
        "[]",
        "null",
        "",
    ],
)
def test_manifests_of_any_shape_are_read(tmp_path: Path, manifest: str) -> None:
    demo(tmp_path, {".claude-plugin/plugin.json": manifest})
    plugin = read(tmp_path).plugin
    assert plugin.refused
    assert isinstance(plugin.name, str)


@pytest.mark.parametrize(
    "hooks",
    [
        '{"hooks": {"PreToolUse": 5}}',
        '{"hooks": {"PreToolUse": [5, [], {"hooks": 5}, {"hooks": [5, {}]}]}}',
        '{"hooks": {"PreToolUse": [{"matcher": {}, "hooks": [{"type": {}, "command": [], "timeout": "x"}]}]}}',
        '{"hooks": null}',
        "5",
        '"x"',
        '{"hooks": {"": {"": {"hooks": [{}]}}}}',
    ],
)
def test_hooks_of_any_shape_are_dead_and_stop_nothing(tmp_path: Path, hooks: str) -> None:
    demo(tmp_path, {"hooks/hooks.json": hooks})
    plugin = read(tmp_path).plugin
    assert all(each.dead for each in plugin.hooks)
    assert [each.name for each in plugin.skills] == ["good"]


def test_a_large_package_is_read_in_much_less_than_a_second(tmp_path: Path) -> None:
    header = (
        "---\nname: n\ndescription: |\n  Long\n  text\nargument-hint: '[a]'\nallowed-tools: Bash(git:*), Read\n---\n"
    )
    body = "Text with $ARGUMENTS and ${CLAUDE_PLUGIN_ROOT} and !`ls` and @a.md.\n" * 60
    skills = {f"skills/s{number}/SKILL.md": header + body for number in range(230)}
    commands = {f"commands/c{number}.md": header + body for number in range(75)}
    demo(tmp_path, {**skills, **commands})
    started = time.process_time()
    plugin = read(tmp_path).plugin
    assert time.process_time() - started < 3  # 0.3 on an idle machine
    assert (len(plugin.skills), len(plugin.commands)) == (231, 75)

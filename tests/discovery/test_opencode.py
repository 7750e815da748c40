"""OpenCode: what it merges last wins; folders before files, the project's files before the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.files import MOST_FOLDERS
from pisces.harnesses.opencode import HARNESS
from tests.discovery.world import World, skill


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, HARNESS)


def _servers(**commands: str) -> dict[str, object]:
    return {"mcp": {name: {"type": "local", "command": [command, "-x"]} for name, command in commands.items()}}


def _launches(world: World) -> list[str]:
    return [each.item.launch for each in world.found("mcp-servers").items]


def test_the_projects_configuration_beats_the_users(world: World) -> None:
    world.user(".config/opencode/opencode.json", _servers(docs="user", own="user"))
    world.project("opencode.json", _servers(docs="root"))
    assert _launches(world) == ["root -x", "user -x"]


def test_the_nearest_file_beats_those_above(world: World) -> None:
    world.project("opencode.json", _servers(docs="root"))
    world.project("app/opencode.json", _servers(docs="app"))
    world.cwd = world.repository / "app"
    assert _launches(world) == ["app -x"]


def test_an_opencode_folder_beats_a_file_and_the_outermost_folder_all_others(world: World) -> None:
    world.project("opencode.json", _servers(docs="file"))
    world.project("app/.opencode/opencode.json", _servers(docs="near"))
    world.project(".opencode/opencode.json", _servers(docs="outer"))
    world.cwd = world.repository / "app"
    assert _launches(world) == ["outer -x"]


def test_jsonc_beats_json_and_may_have_comments(world: World) -> None:
    world.project("opencode.json", _servers(docs="json"))
    world.project("opencode.jsonc", '{"mcp": {"docs": {"type": "remote", "url": "https://c.example"},}} // yes')
    assert _launches(world) == ["https://c.example"]


def test_variables_move_and_add_configuration(world: World) -> None:
    world.user("conf/opencode/opencode.json", _servers(a="xdg"))
    world.user("one.json", _servers(a="one", b="one"))
    world.user("dir/opencode.json", _servers(b="dir"))
    world.env["XDG_CONFIG_HOME"] = str(world.home / "conf")
    assert _launches(world) == ["xdg -x"]
    world.env["OPENCODE_CONFIG"] = str(world.home / "one.json")
    assert _launches(world) == ["one -x", "one -x"]
    world.env["OPENCODE_CONFIG_DIR"] = str(world.home / "dir")
    assert _launches(world) == ["dir -x", "one -x"]


def test_the_projects_part_can_be_switched_off(world: World) -> None:
    world.project("opencode.json", _servers(docs="root"))
    world.env["OPENCODE_DISABLE_PROJECT_CONFIG"] = "1"
    assert _launches(world) == []


def test_commands_are_files_with_slashes_in_their_names_and_entries(world: World) -> None:
    world.project(".opencode/commands/git/commit.md", "---\ndescription: Commits\n---\nCommit")
    world.project(".opencode/command/old.md", "x")
    world.project("opencode.json", {"command": {"old": {"template": "y"}, "test": {"template": "Test"}}})
    assert world.names("commands") == ["git/commit", "old", "test"]
    assert world.paths("commands")[1] == ".opencode/command/old.md"


def test_a_command_entry_without_template_is_reported(world: World) -> None:
    world.project("opencode.json", {"command": {"bad": "x", "good": {"template": "y"}}})
    assert world.names("commands") == ["good"]
    problem = world.problem("commands", "opencode-entry")
    assert (problem.about, problem.line) == ("bad", 3)


def test_agents_are_files_and_entries(world: World) -> None:
    world.project(".opencode/agents/review.md", "---\ndescription: Reviews\nmode: subagent\n---\nYou review.")
    world.project(
        "opencode.json", {"agent": {"docs": {"description": "Writes", "model": "x/y"}, "no": {"disable": True}}}
    )
    assert world.names("subagents") == ["review", "docs"]


def test_skills_of_its_own_folders_beat_those_of_others(world: World) -> None:
    for folder in (".opencode", ".claude", ".agents"):
        world.project(f"{folder}/skills/s/SKILL.md", skill("s"))
    world.user(".config/opencode/skill/group/u/SKILL.md", skill("u"))
    world.user(".claude/skills/u/SKILL.md", skill("u"))
    paths = world.paths("skills", every=True)
    assert paths == [
        ".opencode/skills/s/SKILL.md",
        "~/.config/opencode/skill/group/u/SKILL.md",
        ".agents/skills/s/SKILL.md",
        ".claude/skills/s/SKILL.md",
        "~/.claude/skills/u/SKILL.md",
    ]


def test_plugins_are_modules(world: World) -> None:
    world.project(".opencode/plugins/notify.ts", "throw 1")
    world.project(".opencode/plugins/more/index.ts", "throw 1")
    world.user(".config/opencode/plugin/log.js", "throw 1")
    assert world.names("modules") == ["notify", "log"]


def test_agents_md_anywhere_above_hides_claude_md(world: World) -> None:
    world.project("AGENTS.md", "x")
    world.project("app/CLAUDE.md", "x")
    world.user(".claude/CLAUDE.md", "x")
    world.cwd = world.repository / "app"
    assert world.paths("context-files") == ["~/.claude/CLAUDE.md", "AGENTS.md"]


def test_instructions_are_paths_and_patterns_but_never_fetched(world: World) -> None:
    named = ["docs/*.md", "rules/**/*.md", "https://example.com/x.md", "missing.md", 3, "../../*"]
    world.project("opencode.json", {"instructions": named})
    world.project("docs/a.md", "x")
    world.project("docs/b.txt", "x")
    world.project("rules/deep/er/c.md", "x")
    assert world.paths("context-files") == ["docs/a.md", "rules/deep/er/c.md"]


def test_a_pattern_that_leads_through_too_many_files_ends_early(world: World) -> None:
    world.project("opencode.json", {"instructions": ["docs/**/*.md"]})
    for number in range(200):
        world.project(f"many/{number}.md", "x")
        (world.repository / "docs").mkdir(exist_ok=True)
        (world.repository / f"docs/{number}").symlink_to(world.repository / "many")
    assert len(world.paths("context-files")) > 10_000
    assert world.problem("context-files", "opencode-wide-pattern").line == 3


def test_a_pattern_that_leads_through_too_many_folders_says_so(world: World) -> None:
    world.project("opencode.json", {"instructions": ["docs/**/*.md"]})
    for number in range(MOST_FOLDERS):
        (world.repository / f"docs/{number}").mkdir(parents=True)
    assert world.problem("context-files", "opencode-wide-pattern").line == 3


@pytest.mark.parametrize("pattern", ["**/**/**/**/x", "/".join(["**/*"] * 2000), "*" * 5000 + "x", "docs/\0*"])
def test_no_pattern_makes_the_search_slow(world: World, pattern: str) -> None:
    world.project("opencode.json", {"instructions": [pattern]})
    world.project("a/b/c/d/e/f/g/h/i/j/y.md", "x")
    assert world.paths("context-files") == []


def test_themes_of_the_project_win(world: World) -> None:
    world.project(".opencode/themes/dark.json", {"theme": {}})
    world.user(".config/opencode/themes/dark.json", {"theme": {}})
    world.user(".config/opencode/themes/light.json", {"theme": {}})
    assert world.paths("themes") == [".opencode/themes/dark.json", "~/.config/opencode/themes/light.json"]


def test_a_broken_configuration_is_reported_once_with_the_settings(world: World) -> None:
    world.project("opencode.json", '{"mcp": ')
    assert world.codes("settings") == ["config-syntax"]
    assert world.codes("commands") == []

"""Claude Code finds what Claude Code itself would load, in its own order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import capability_named
from pisces.discovery.finders import managed
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Run, Where
from pisces.discovery.options import Managed, SkillFolders
from pisces.discovery.registry import Discovered, discover
from pisces.discovery.state import SHADOWED
from pisces.harnesses.claude import HARNESS, WithSettings
from pisces.harnesses.claude.finders import settings as claude_settings, settings_hooks as claude_settings_hooks
from pisces.places import Places
from tests.discovery.claude_plugins import git_folder, install

AGENT = "---\nname: {name}\ndescription: Does it\n---\nYou do it."


class World:
    """A home and a repository on disk, looked at through Claude Code only."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.repository = folder / "work" / "shop"
        git_folder(self.repository)
        self.home.mkdir()
        self.cwd = self.repository
        self.env: dict[str, str] = {}

    def user(self, path: str, text: str | object) -> Path:
        return _written(self.home / path, text)

    def project(self, path: str, text: str | object) -> Path:
        return _written(self.repository / path, text)

    def found(self, capability: str) -> Discovered:
        places = Places(str(self.home), str(self.cwd), self.env)
        return discover(capability_named(capability), places, harnesses=[HARNESS])

    def names(self, capability: str) -> list[str]:
        return [each.item.name for each in self.found(capability).items]

    def paths(self, capability: str) -> list[str]:
        found = [each.item.path for each in self.found(capability).items]
        return [path.replace(str(self.repository), "").replace(str(self.home), "~") for path in found]

    def problem(self, capability: str, code: str) -> Diagnostic:
        (found,) = [each for each in self.found(capability).diagnostics if each.code == code]
        return found

    def plugin(
        self, name: str, files: dict[str, str | object], *, market: str = "market", on: bool | None = True
    ) -> Path:
        """An installed plugin, recorded and with a manifest. With `on` None no settings file names it."""
        folder = self.home / ".claude/plugins/cache" / market / name / "1.0.0"
        for path, text in {".claude-plugin/plugin.json": {"name": name}, **files}.items():
            _written(folder / path, text)
        install(self.home, f"{name}@{market}", folder, on=on)
        return folder


def _written(path: Path, text: str | object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text, indent=1), encoding="utf-8")
    return path


def _nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    keys = st.sampled_from(
        ["hooks", "Stop", "type", "command", "matcher", "source", "content", "installPath", "a", "./a"]
    )
    return st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


# Commands


def test_subfolders_become_part_of_a_command_name(world: World) -> None:
    world.project(".claude/commands/frontend/fix.md", "Fix it")
    (found,) = world.found("commands").items
    assert (found.item.name, found.item.final_name, found.item.dialect) == ("frontend:fix", "frontend:fix", "claude")


def test_a_command_without_a_header_is_described_by_its_first_line(world: World) -> None:
    world.project(".claude/commands/fix.md", "\n# Fix it\nNow.")
    (found,) = world.found("commands").items
    assert found.item.description == "Fix it"


def test_the_users_command_comes_before_the_projects(world: World) -> None:
    world.user(".claude/commands/fix.md", "user")
    world.project(".claude/commands/fix.md", "project")
    first, second = world.found("commands").all
    assert (first.found.source.level, second.found.source.level, second.state) == ("user", "project", SHADOWED)


def test_commands_are_found_from_a_subfolder_up_to_the_repository_root(world: World) -> None:
    world.project(".claude/commands/fix.md", "root")
    near = world.project("apps/web/.claude/commands/fix.md", "near")
    world.cwd = world.repository / "apps" / "web"
    (found,) = world.found("commands").items
    assert found.item.path == str(near)


@pytest.mark.parametrize("folder", ["node_modules", ".git", ".hidden"])
def test_every_folder_of_commands_and_subagents_is_looked_into(world: World, folder: str) -> None:
    for place in (world.user, world.project):
        place(f".claude/commands/{folder}/{place.__name__}.md", "Go")
        place(f".claude/agents/{folder}/{place.__name__}.md", AGENT.format(name=place.__name__))
    world.project(".claude/commands/LOUD.MD", "Go")
    assert set(world.names("commands")) == {f"{folder}:user", f"{folder}:project"}
    assert set(world.names("subagents")) == {"user", "project"}


def test_a_skill_beats_a_command_of_the_same_name(world: World) -> None:
    world.project(".claude/commands/deploy.md", "command")
    world.user(".claude/skills/deploy/SKILL.md", "skill")
    assert world.paths("commands") == ["~/.claude/skills/deploy/SKILL.md"]
    problem = world.problem("commands", "command-behind-skill")
    assert problem.path.endswith("deploy.md")
    assert problem.about == "deploy"


def test_a_skill_is_a_command_unless_its_header_keeps_it_from_the_user(world: World) -> None:
    """As the `init` event of Claude Code 2.1.325 has them."""
    world.project(".claude/skills/deploy/SKILL.md", "---\nname: Shown\nargument-hint: STAGE\n---\nDeploy $ARGUMENTS")
    world.project(".claude/skills/quiet/SKILL.md", "---\nuser-invocable: false\n---\nx")
    world.project(".claude/skills/mine/SKILL.md", "---\ndisable-model-invocation: true\n---\nx")
    world.project(".claude/skills/plain/SKILL.md", "Just text")
    world.user(".claude/skills/deploy/SKILL.md", "The user's comes first")
    assert sorted(world.names("commands")) == ["deploy", "mine", "plain"]
    assert world.found("commands").diagnostics == ()
    deploy = [each.found.item for each in world.found("commands").all if each.found.item.name == "deploy"]
    assert [each.argument_hint for each in deploy] == ["", "STAGE"]


def test_a_plugins_skill_has_a_plain_name(world: World) -> None:
    """What is no letter, digit, dash or underscore in its folder's name is a dash in Claude Code 2.1.325."""
    world.plugin("kit", {f"skills/{folder}/SKILL.md": "x" for folder in ("a.b", "c d", "\u00fcn_x")})
    assert sorted(world.names("skills")) == ["kit:-n_x", "kit:a-b", "kit:c-d"]


def test_a_plugins_skill_is_named_by_its_folder_but_one_that_is_the_plugin_by_its_header(world: World) -> None:
    header = "---\nname: {}\ndescription: d\n---\nx"
    world.plugin("hookify", {"skills/writing-rules/SKILL.md": header.format("Writing Hookify Rules")})
    world.plugin("lonely", {"SKILL.md": header.format("header-name")})
    assert world.names("skills") == ["hookify:writing-rules", "lonely:header-name"]
    assert [each.item.final_name for each in world.found("commands").items] == world.names("skills")


def test_an_argument_hint_in_brackets_stays_readable(world: World) -> None:
    world.project(".claude/commands/fix.md", "---\ndescription: Fix\nargument-hint: [issue]\n---\nFix $ARGUMENTS")
    (found,) = world.found("commands").items
    assert found.item.argument_hint == "[issue]"


def test_a_folder_with_a_skill_among_the_commands_is_one_command(world: World) -> None:
    world.project(".claude/commands/git/tidy/SKILL.md", "Tidy up")
    world.project(".claude/commands/git/tidy/notes.md", "Only for the skill")
    assert world.names("commands") == ["git:tidy"]


# Headers that are not YAML


def test_a_header_with_a_stray_colon_is_read_with_a_warning_at_its_line(world: World) -> None:
    world.project(".claude/agents/a.md", "---\nname: a\ndescription: Use when: it breaks\ntools: Read, Grep\n---\nBody")
    (found,) = world.found("subagents").items
    assert found.item.description == "Use when: it breaks"
    assert found.item.tools == ("Read", "Grep")
    problem = world.problem("subagents", "header-not-yaml")
    assert (problem.severity, problem.line) == ("warning", 3)
    assert "Gemini CLI" in problem.hint


def test_a_header_that_cannot_be_mended_counts_as_empty(world: World) -> None:
    world.project(".claude/skills/odd/SKILL.md", "---\nname: odd\n  - [\n---\nDoes odd things")
    (found,) = world.found("skills").items
    assert (found.item.name, found.item.description) == ("odd", "Does odd things")


def test_a_byte_order_mark_does_not_hide_a_header(world: World) -> None:
    world.project(".claude/agents/a.md", "\ufeff" + AGENT.format(name="a"))
    assert world.names("subagents") == ["a"]


# Skills


def test_a_skill_is_named_by_its_folder(world: World) -> None:
    world.project(".claude/skills/deploy/SKILL.md", "---\nname: Shown Name\ndescription: Deploys\n---\n")
    assert world.names("skills") == ["deploy"]


def test_the_users_skill_overrides_the_projects(world: World) -> None:
    world.user(".claude/skills/deploy/SKILL.md", "user")
    world.project(".claude/skills/deploy/SKILL.md", "project")
    assert world.paths("skills") == ["~/.claude/skills/deploy/SKILL.md"]


def test_the_folder_named_synced_and_plugins_in_the_skills_folder_are_no_skills(world: World) -> None:
    world.user(".claude/skills/Synced/SKILL.md", "reserved")
    world.user(".claude/skills/tool/SKILL.md", "---\nname: run\ndescription: Runs\n---\n")
    world.user(".claude/skills/tool/.claude-plugin/plugin.json", {"name": "tool"})
    assert world.names("skills") == ["tool:run"]
    assert world.names("packages") == ["tool"]


def test_the_home_folder_is_not_a_project(world: World) -> None:
    world.user(".claude/skills/deploy/SKILL.md", "user")
    world.cwd = world.home
    assert [each.found.source.level for each in world.found("skills").all] == ["user"]


# Subagents


def test_the_projects_subagent_comes_before_the_users_and_the_nearest_first(world: World) -> None:
    for path in (".claude/agents/deep/er/a.md", "apps/.claude/agents/a.md"):
        world.project(path, AGENT.format(name="a"))
    world.user(".claude/agents/a.md", AGENT.format(name="a"))
    world.cwd = world.repository / "apps"
    assert world.paths("subagents") == ["/apps/.claude/agents/a.md"]
    assert [each.found.source.level for each in world.found("subagents").all] == ["project", "project", "user"]


def test_a_subagent_without_a_description_is_left_out_with_its_place(world: World) -> None:
    world.project(".claude/agents/a.md", "---\nname: a\n---\nBody")
    world.project(".claude/agents/README.md", "# Not a subagent")
    assert not world.names("subagents")
    problem = world.problem("subagents", "subagent-incomplete")
    assert (problem.about, problem.line, problem.message) == ("a", 2, "the header has no `description`")


def test_a_colon_in_the_name_of_a_subagent_is_rejected(world: World) -> None:
    world.project(".claude/agents/a.md", AGENT.format(name="team:a"))
    assert not world.names("subagents")
    assert world.problem("subagents", "subagent-name").line == 2


# MCP servers


def test_local_servers_come_before_the_projects_and_the_users(world: World) -> None:
    def server(name: str) -> object:
        return {"shared": {"command": name}, name: {"command": name}}

    projects = {str(world.repository): {"mcpServers": server("local")}}
    world.user(".claude.json", {"mcpServers": server("user"), "projects": projects})
    world.project(".mcp.json", {"mcpServers": server("project")})
    world.user(".claude/settings.json", {"enableAllProjectMcpServers": True})
    found = {each.item.name: each.item.config["command"] for each in world.found("mcp-servers").items}
    assert found == {"shared": "local", "local": "local", "project": "project", "user": "user"}


def test_the_state_file_moves_with_the_configuration_folder(world: World) -> None:
    world.user("elsewhere/.claude.json", {"mcpServers": {"a": {"command": "a"}}})
    world.user("elsewhere/commands/fix.md", "Fix")
    world.user(".claude.json", {"mcpServers": {"b": {"command": "b"}}})
    world.env["CLAUDE_CONFIG_DIR"] = "~/elsewhere"
    assert world.names("mcp-servers") == ["a"]
    assert world.names("commands") == ["fix"]


def test_an_address_without_a_type_is_rejected_at_its_line(world: World) -> None:
    world.project(".mcp.json", '{"mcpServers": {\n "docs": {"url": "https://example.com"},\n "ok": {"command": "x"}}}')
    world.user(".claude/settings.json", {"enableAllProjectMcpServers": True})
    assert world.names("mcp-servers") == ["ok"]
    problem = world.problem("mcp-servers", "mcp-server-type")
    assert (problem.line, problem.about) == (2, "docs")


def test_a_rejected_server_is_a_note_at_the_setting(world: World) -> None:
    world.project(".mcp.json", {"mcpServers": {"docs": {"command": "x"}}})
    world.project(".claude/settings.local.json", '{\n "disabledMcpjsonServers": ["docs"]}')
    assert not world.names("mcp-servers")
    problem = world.problem("mcp-servers", "mcp-server-rejected")
    assert (problem.severity, problem.line) == ("note", 2)


def test_a_server_switched_off_for_this_project_is_left_out(world: World) -> None:
    projects = {str(world.repository): {"disabledMcpServers": ["docs"]}}
    world.user(".claude.json", {"mcpServers": {"docs": {"command": "x"}}, "projects": projects})
    assert not world.names("mcp-servers")
    assert world.problem("mcp-servers", "mcp-server-rejected").about == "docs"


def test_a_syntax_error_in_mcp_json_does_not_hide_the_users_servers(world: World) -> None:
    world.project(".mcp.json", '{"mcpServers": {},}')
    world.user(".claude.json", {"mcpServers": {"docs": {"command": "x"}}})
    assert world.names("mcp-servers") == ["docs"]
    assert world.problem("mcp-servers", "config-syntax").line == 1


# Hooks and settings


def _hooks(command: str, event: str = "PreToolUse") -> dict[str, object]:
    return {"hooks": {event: [{"matcher": "Bash", "hooks": [{"type": "command", "command": command, "timeout": 5}]}]}}


def test_the_hooks_of_all_settings_files_run(world: World) -> None:
    world.user(".claude/settings.json", _hooks("user"))
    world.project(".claude/settings.json", _hooks("project"))
    world.project(".claude/settings.local.json", _hooks("local"))
    found = [each.item for each in world.found("hooks").items]
    assert [hook.command for hook in found] == ["local", "project", "user"]
    assert {(hook.event, hook.matcher, hook.timeout, hook.dialect) for hook in found} == {
        ("PreToolUse", "Bash", 5, "claude")
    }


def test_disable_all_hooks_anywhere_stops_them_with_a_note(world: World) -> None:
    world.project(".claude/settings.json", {**_hooks("project"), "disableAllHooks": True})
    world.user(".claude/settings.json", _hooks("user"))
    world.plugin("tool", {"hooks/hooks.json": _hooks("plugin")})
    assert not world.found("hooks").items
    assert world.problem("hooks", "hooks-off").path.endswith(".claude/settings.json")


def test_a_broken_hook_does_not_take_its_neighbours_down(world: World) -> None:
    good = {"hooks": [{"type": "command", "command": "ok"}, {"type": "command"}, {"command": "x"}, 7]}
    world.project(
        ".claude/settings.json", {"hooks": {"Stop": [good, {"command": "x"}], "BeforeTool": [], "SessionEnd": 1}}
    )
    found = world.found("hooks")
    assert [each.item.command for each in found.items] == ["ok"]
    codes = [each.code for each in found.diagnostics]
    assert codes.count("claude-hook-shape") == 5
    assert world.problem("hooks", "claude-hook-event").about == "BeforeTool"
    assert all(each.line > 1 for each in found.diagnostics)


def test_hooks_of_other_types_are_found_too(world: World) -> None:
    handlers = [{"type": "http", "url": "https://example.com"}, {"type": "prompt", "prompt": "Is it fine?"}]
    world.project(".claude/settings.json", {"hooks": {"Stop": [{"hooks": handlers}]}})
    assert [(each.item.type, each.item.command) for each in world.found("hooks").items] == [
        ("http", "https://example.com"),
        ("prompt", "Is it fine?"),
    ]


def test_settings_files_are_listed_strongest_first(world: World) -> None:
    world.user(".claude/settings.json", {})
    world.project(".claude/settings.json", {})
    world.project(".claude/settings.local.json", {})
    expected = ["/.claude/settings.local.json", "/.claude/settings.json", "~/.claude/settings.json"]
    assert world.paths("settings") == expected


def test_settings_are_strict_json(world: World) -> None:
    world.project(".claude/settings.json", "{\n // no comments\n}")
    assert not world.found("settings").items
    assert world.problem("settings", "config-syntax").line == 2


def test_settings_that_are_no_object_are_reported(world: World) -> None:
    world.project(".claude/settings.json", "[]")
    assert world.problem("settings", "config-not-an-object").message == "the file is not an object"


@pytest.mark.skipif("os.name == 'nt'")
def test_local_settings_lie_at_the_repository_root_and_shared_ones_in_the_starting_folder(world: World) -> None:
    world.project(".claude/settings.json", {})
    world.project(".claude/settings.local.json", {})
    world.project("apps/.claude/settings.json", {})
    world.cwd = world.repository / "apps"
    assert world.paths("settings") == ["/.claude/settings.local.json", "/apps/.claude/settings.json"]


# Context files


def test_context_files_go_from_the_general_to_the_special(world: World) -> None:
    world.user(".claude/CLAUDE.md", "user")
    world.user(".claude/rules/style.md", "user rule")
    for path in ("CLAUDE.local.md", "CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/a/b.md", "apps/CLAUDE.md"):
        world.project(path, "project")
    world.project("AGENTS.md", "not read by Claude Code")
    world.cwd = world.repository / "apps"
    assert world.paths("context-files") == [
        "~/.claude/CLAUDE.md",
        "~/.claude/rules/style.md",
        "/CLAUDE.md",
        "/.claude/CLAUDE.md",
        "/.claude/rules/a/b.md",
        "/CLAUDE.local.md",
        "/apps/CLAUDE.md",
    ]


def test_the_scope_of_a_context_file_says_where_it_applies(world: World) -> None:
    world.user(".claude/CLAUDE.md", "user")
    world.project("CLAUDE.md", "root")
    world.project("apps/CLAUDE.md", "near")
    world.cwd = world.repository / "apps"
    assert [each.item.scope for each in world.found("context-files").items] == ["user", "..", "project"]


# Plugins


def test_an_enabled_plugin_brings_its_components_under_its_name(world: World) -> None:
    world.plugin(
        "tool",
        {
            "commands/git/commit.md": "Commit",
            "skills/review/SKILL.md": "---\nname: fancy\ndescription: Reviews\n---\n",
            "agents/deep/judge.md": AGENT.format(name="judge"),
            "hooks/hooks.json": _hooks("hook"),
            ".mcp.json": {"docs": {"command": "docs"}},
        },
    )
    names = [(each.item.name, each.item.final_name, each.package) for each in world.found("commands").items]
    assert names == [("git:commit", "tool:git:commit", "tool"), ("review", "tool:review", "tool")]
    assert world.names("skills") == ["tool:review"]
    assert world.names("subagents") == ["tool:deep:judge"]
    assert world.names("mcp-servers") == ["plugin:tool:docs"]
    assert [each.item.command for each in world.found("hooks").items] == ["hook"]


def test_a_disabled_plugin_is_listed_with_a_note_and_brings_nothing(world: World) -> None:
    world.plugin("tool", {"commands/fix.md": "Fix"})
    world.user(".claude/settings.json", '{"enabledPlugins": {\n "tool@market": false}}')
    assert [each.found.item.name for each in world.found("packages").all] == ["tool"]
    assert not world.names("commands")
    problem = world.problem("packages", "plugin-disabled")
    assert (problem.severity, problem.line, problem.about) == ("note", 2, "tool")


def test_local_settings_decide_before_project_and_user(world: World) -> None:
    world.plugin("tool", {"commands/fix.md": "Fix"})
    world.user(".claude/settings.json", {"enabledPlugins": {"tool@market": False}})
    world.project(".claude/settings.json", {"enabledPlugins": {"tool@market": True}})
    assert world.names("commands") == ["fix"]
    world.project(".claude/settings.local.json", {"enabledPlugins": {"tool@market": False}})
    assert not world.names("commands")


def test_a_plugin_may_be_off_until_somebody_switches_it_on(world: World) -> None:
    world.plugin("tool", {".claude-plugin/plugin.json": {"name": "tool", "defaultEnabled": False}}, on=None)
    assert world.problem("packages", "plugin-disabled").hint.startswith("switch it on")


def test_the_first_version_of_the_record_is_understood(world: World) -> None:
    folder = world.plugin("tool", {"commands/fix.md": "Fix"})
    record = {"version": 1, "plugins": {"tool@market": {"version": "1.0.0", "installPath": str(folder)}}}
    world.user(".claude/plugins/installed_plugins.json", record)
    assert world.names("commands") == ["fix"]


def test_a_plugin_installed_for_another_project_is_not_here(world: World) -> None:
    folder = world.plugin("tool", {"commands/fix.md": "Fix"})
    other = {"scope": "project", "projectPath": "/some/where/else", "installPath": str(folder)}
    world.user(".claude/plugins/installed_plugins.json", {"version": 2, "plugins": {"tool@market": [other]}})
    assert not world.names("packages")


def test_the_record_for_this_project_comes_before_the_users(world: World) -> None:
    user = world.plugin("tool", {"commands/old.md": "Old"})
    mine = world.plugin("tool", {"commands/new.md": "New"}, market="second")
    records = [
        {"scope": "user", "installPath": str(user)},
        {"scope": "project", "projectPath": str(world.repository), "installPath": str(mine)},
    ]
    world.user(".claude/plugins/installed_plugins.json", {"version": 2, "plugins": {"tool@market": records}})
    assert world.names("commands") == ["new"]


def test_a_plugin_whose_folder_is_gone_is_reported_at_its_record(world: World) -> None:
    gone = '[{"scope": "user", "installPath": "~/nowhere"}]'
    record = f'{{"version": 2, "plugins": {{\n "tool@market": {gone},\n "bad@market": [{{"scope": "user"}}]}}}}'
    world.user(".claude/plugins/installed_plugins.json", record)
    assert not world.names("packages")
    missing = world.problem("packages", "plugin-missing")
    assert (missing.line, missing.about) == (2, "tool")
    assert world.problem("packages", "plugin-record").line == 3


def test_a_broken_manifest_hides_only_its_own_plugin(world: World) -> None:
    world.plugin("bad", {".claude-plugin/plugin.json": "{", "commands/x.md": "x"})
    world.plugin("nameless", {".claude-plugin/plugin.json": "{}"})
    world.plugin("good", {"commands/fix.md": "Fix"})
    assert world.names("commands") == ["fix"]
    assert world.problem("packages", "config-syntax").about == "bad"
    assert world.problem("packages", "plugin-no-name").about == "nameless"


def test_a_plugin_without_a_manifest_is_named_by_its_record(world: World) -> None:
    folder = world.plugin("tool", {"commands/fix.md": "Fix"})
    (folder / ".claude-plugin/plugin.json").unlink()
    assert [each.item.final_name for each in world.found("commands").items] == ["tool:fix"]


def test_the_plugins_folder_can_be_moved(world: World) -> None:
    folder = world.plugin("tool", {"commands/fix.md": "Fix"})
    world.env["CLAUDE_CODE_PLUGIN_CACHE_DIR"] = "~/moved"
    assert not world.names("packages")
    records = {"tool@market": {"installPath": str(folder)}}
    world.user("moved/installed_plugins.json", {"version": 1, "plugins": records})
    known = world.home / ".claude/plugins/known_marketplaces.json"
    known.rename(world.home / "moved/known_marketplaces.json")
    assert world.names("packages") == ["tool"]


def test_odd_things_where_files_belong_never_raise(world: World) -> None:
    for path in (".claude/settings.json", ".mcp.json", ".claude/commands/a.md", ".claude/skills/a/SKILL.md"):
        (world.repository / path).mkdir(parents=True)
    world.user(".claude.json", "null")
    world.user(".claude/plugins/installed_plugins.json", "7")
    for capability in (
        "packages",
        "commands",
        "skills",
        "subagents",
        "mcp-servers",
        "hooks",
        "context-files",
        "settings",
    ):
        found = world.found(capability)
        assert not found.items
        assert "provider-failed" not in [each.code for each in found.diagnostics]


# What the administrator of the machine decides


def _managed(world: World, folder: Path) -> Where[WithSettings]:
    places = Places(str(world.home), str(world.cwd))
    options = WithSettings("", managed=str(folder))
    return Where(places, Run(), "settings", "claude", "Claude Code", options=options)


def _running(found: FinderResults) -> list[str]:
    """The commands of those hooks that nothing holds back."""
    return [each.item.command for each in found if isinstance(each, Found) and each.held is None]


def test_managed_settings_come_first_and_drop_ins_before_the_main_file(world: World, tmp_path: Path) -> None:
    for name in ("managed-settings.json", "managed-settings.d/10-a.json", "managed-settings.d/20-b.json"):
        _written(tmp_path / "etc" / name, {})
    world.user(".claude/settings.json", {})
    found = [each for each in claude_settings.find(_managed(world, tmp_path / "etc")) if isinstance(each, Found)]
    assert [(each.source.level, Path(each.source.path).name) for each in found] == [
        ("managed", "20-b.json"),
        ("managed", "10-a.json"),
        ("managed", "managed-settings.json"),
        ("user", "settings.json"),
    ]


def test_the_user_cannot_switch_off_managed_hooks(world: World, tmp_path: Path) -> None:
    _written(tmp_path / "etc/managed-settings.json", _hooks("managed"))
    world.user(".claude/settings.json", {**_hooks("user"), "disableAllHooks": True})
    assert _running(claude_settings_hooks.find(_managed(world, tmp_path / "etc"))) == ["managed"]
    _written(tmp_path / "etc/managed-settings.json", {**_hooks("managed"), "disableAllHooks": True})
    assert not _running(claude_settings_hooks.find(_managed(world, tmp_path / "etc")))


def test_managed_skills_are_looked_for_in_the_folder_of_this_system(world: World, tmp_path: Path) -> None:
    _written(tmp_path / "etc/.claude/skills/deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys\n---\n")
    options = Managed(str(tmp_path / "etc"), ".claude/skills", SkillFolders())
    (found,) = managed.find(_managed(world, tmp_path).given(options, ""))
    assert isinstance(found, Found)
    assert (found.item.name, found.source.level) == ("deploy", "managed")


# Anything at all


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.sampled_from("-:#'\"[]{}|>&*!%@`, \nab\t\r\ufeff\0"), max_size=60))
def test_no_header_makes_it_raise(world: World, header: str) -> None:
    text = f"---\nname: a\ndescription: {header}\n---\nBody"
    for path in (".claude/agents/a.md", ".claude/commands/a.md", ".claude/skills/b/SKILL.md"):
        (world.repository / path).parent.mkdir(parents=True, exist_ok=True)
        (world.repository / path).write_bytes(text.encode())
    for capability in ("commands", "skills", "subagents"):
        found = world.found(capability)
        assert "provider-failed" not in [each.code for each in found.diagnostics]
    assert world.names("skills") == ["b"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), _nested, max_leaves=12))
def test_no_json_makes_it_raise(world: World, value: object) -> None:
    for path in (".claude/settings.json", ".mcp.json"):
        world.project(
            path, {"hooks": value, "mcpServers": value, "enabledPlugins": value, "disabledMcpjsonServers": value}
        )
    world.user(".claude.json", {"projects": {str(world.repository): value}, "mcpServers": value})
    manifest = {
        "name": "tool",
        "commands": value,
        "agents": value,
        "skills": value,
        "hooks": value,
        "mcpServers": value,
    }
    folder = world.plugin("tool", {".claude-plugin/plugin.json": manifest})
    record = {"tool@market": [{"installPath": str(folder)}], "other@market": value}
    world.user(".claude/plugins/installed_plugins.json", {"plugins": record})
    for capability in ("packages", "commands", "skills", "subagents", "mcp-servers", "hooks", "settings"):
        assert "provider-failed" not in [each.code for each in world.found(capability).diagnostics], capability

"""What Claude Code does not load, and why: compared with version 2.1.325, which docs/conformance.md describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.found import Candidate, Found, Source
from pisces.discovery.harness import Run, Where
from pisces.discovery.standing import standing
from pisces.discovery.state import ACTIVE, OFF, REFUSED, SHADOWED, UNTRUSTED, WAITING
from pisces.harnesses.claude import HARNESS, WithSettings
from pisces.harnesses.claude.finders import servers, settings_hooks
from pisces.harnesses.claude.plugins import InstalledPlugin, installed_here
from pisces.harnesses.claude.settings_shape import settings_flaw
from pisces.harnesses.claude.states import state_of
from pisces.places import Places
from pisces.shapes.skill import Skill
from tests.discovery.claude_plugins import git_folder, install
from tests.discovery.stands import reasons, states
from tests.discovery.world import World, worktree, written

AGENT = "---\nname: {name}\ndescription: Does it\n---\nYou do it."
SKILL = "---\nname: {name}\ndescription: Does it\n---\nDo it."
RUNS = {"type": "command", "command": "check"}


class ClaudeWorld(World):
    def standing(self, kind: str) -> list[Candidate]:
        places = Places(str(self.home), str(self.cwd), self.env)
        return list(standing(HARNESS, capability_named(kind), places, Run()).candidates)

    def states(self, kind: str) -> dict[str, str]:
        """By name; the first candidate of a name counts."""
        found: dict[str, str] = {}
        for each in self.standing(kind):
            found.setdefault(str(each.found.item.name), each.state)
        return found

    def held(self, kind: str, name: str = "") -> Candidate:
        """The first candidate that something holds back."""
        return next(each for each in self.standing(kind) if each.held and name in ("", each.found.item.name))

    def trust(self, **more: object) -> None:
        project = {"hasTrustDialogAccepted": True, **more}
        self.user(".claude.json", {"projects": {str(self.repository): project}})

    def plugin(self, manifest: object, *, on: bool | None = True) -> Path:
        folder = self.home / ".claude/plugins/cache/market/kit/1.0.0"
        written(folder / ".claude-plugin/plugin.json", manifest)
        written(folder / "skills/notes/SKILL.md", SKILL.format(name="notes"))
        written(folder / "hooks/hooks.json", {"hooks": {"Stop": [{"hooks": [RUNS]}]}})
        install(self.home, "kit@market", folder, on=on)
        return folder


@pytest.fixture
def world(tmp_path: Path) -> ClaudeWorld:
    made = ClaudeWorld(tmp_path, HARNESS)
    git_folder(made.repository)
    return made


def _market(world: ClaudeWorld, entry: dict[str, Any], **source: str) -> Path:
    """A marketplace on this machine with one plugin."""
    folder = world.home.parent / "shelf"
    listing = {"name": "shelf", "owner": {"name": "Somebody"}, "plugins": [entry]}
    written(folder / ".claude-plugin/marketplace.json", listing)
    record = {"source": {"source": "directory", "path": str(folder)}, "installLocation": str(folder), **source}
    known = {"shelf": {"lastUpdated": "2026-01-01T00:00:00.000Z", **record}}
    world.user(".claude/plugins/known_marketplaces.json", known)
    return folder


# Plugins


def test_a_plugin_that_no_settings_file_names_is_off_with_everything_that_it_brings(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"}, on=None)
    assert world.states("packages") == {"kit": OFF}
    assert world.states("skills") == {"kit:notes": OFF}
    assert [each.state for each in world.standing("hooks")] == [OFF]
    held = world.held("packages").held
    assert held is not None
    assert held.change == "`claude plugin enable kit@market`"


def test_a_plugin_that_is_switched_off_names_the_file_and_the_line(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"})
    world.project(".claude/settings.json", '{"enabledPlugins": {\n "kit@market": false}}')
    held = world.held("skills").held
    assert held is not None
    assert (held.name, held.line, Path(held.path).name) == (OFF, 2, "settings.json")
    assert held.reason == "`enabledPlugins` of the project's settings switches it off"


def test_only_true_switches_a_plugin_on(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"})
    world.user(".claude/settings.json", {"enabledPlugins": {"kit@market": ["1.0.0"]}})
    assert world.states("packages") == {"kit": OFF}


@pytest.mark.parametrize(
    "manifest",
    [
        {"name": "kit", "agents": "./agents"},
        {"name": "kit", "agents": ["./agents"]},
        {"name": "kit", "homepage": "example"},
        {"name": "kit", "lspServers": {"go": {"command": "gopls"}}},
        {"name": "a kit"},
        {"version": "1.0.0"},
        {"name": "kit", "author": "Somebody"},
        {"name": "kit", "hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}},
        {"name": "kit", "PreToolUse": [{"hooks": [RUNS]}]},
        "{",
        "[]",
    ],
)
def test_a_manifest_that_claude_code_refuses_costs_the_whole_plugin(manifest: object, world: ClaudeWorld) -> None:
    folder = world.plugin(manifest)
    (package,) = world.standing("packages")
    assert package.state == REFUSED
    assert package.held is not None
    assert (package.held.path, package.held.line) == (str(folder / ".claude-plugin/plugin.json"), package.held.line)
    assert {each.state for each in (*world.standing("skills"), *world.standing("hooks"))} == {REFUSED}


def test_the_reason_of_a_refusal_has_the_field_and_the_line(world: ClaudeWorld) -> None:
    world.plugin('{\n "name": "kit",\n "homepage": "example"\n}')
    held = world.held("packages").held
    assert held is not None
    assert "`homepage`" in held.reason
    assert held.line == 3


def test_a_broken_guard_in_a_file_of_hooks_costs_the_whole_plugin(world: ClaudeWorld) -> None:
    folder = world.plugin({"name": "kit"})
    broken = '{"hooks": {\n "PreToolUse": [\n  {"hooks": [{"type": "command"}]}]}}'
    path = written(folder / "hooks/hooks.json", broken)
    held = world.held("skills").held
    assert held is not None
    assert (held.name, held.path, held.line) == (REFUSED, str(path), 3)


def test_another_broken_hook_costs_only_itself(world: ClaudeWorld) -> None:
    folder = world.plugin({"name": "kit"})
    written(folder / "hooks/hooks.json", {"hooks": {"Stop": [{"hooks": [{"type": "command"}, RUNS]}], "Never": []}})
    assert [each.state for each in world.standing("hooks")] == [ACTIVE]
    assert world.states("packages") == {"kit": ACTIVE}


def test_what_is_switched_on_but_not_installed_is_a_warning_at_the_switch(world: ClaudeWorld) -> None:
    world.user(".claude/settings.json", '{"enabledPlugins": {\n "kit@market": true}}')
    assert not world.standing("packages")
    problem = world.problem("packages", "plugin-not-installed")
    assert (problem.severity, problem.line, problem.about) == ("warning", 2, "kit")
    assert "no marketplace `market`" in problem.message


@pytest.mark.parametrize("change", [{"owner": {"name": ["o"]}}, {"description": 3}, {"metadata": []}])
def test_a_marketplace_of_a_wrong_shape_costs_its_plugins(change: dict[str, object], world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"})
    listing = world.home / ".claude/plugins/marketplaces/market/.claude-plugin/marketplace.json"
    assert world.states("packages") == {"kit": ACTIVE}
    written(listing, {**json.loads(listing.read_text()), **change})
    assert ACTIVE not in world.states("packages").values()


@pytest.mark.parametrize("missing", ["known", "entry"])
def test_a_plugin_without_its_marketplace_does_not_load(missing: str, world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"})
    plugins = world.home / ".claude/plugins"
    if missing == "known":
        (plugins / "known_marketplaces.json").unlink()
    else:
        listing = plugins / "marketplaces/market/.claude-plugin/marketplace.json"
        listing.write_text(json.dumps({"name": "market", "owner": {"name": "Somebody"}, "plugins": []}))
    assert world.states("skills") == {"kit:notes": REFUSED}
    assert world.problem("packages", "plugin-not-installed").about == "kit"


def test_a_plugin_of_a_marketplace_on_this_machine_is_read_where_it_lies(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"}, on=None)  # the copy of another marketplace
    shelf = _market(world, {"name": "kit", "source": "./plugins/kit"})
    written(shelf / "plugins/kit/.claude-plugin/plugin.json", {"name": "kit"})
    world.user(".claude/settings.json", {"enabledPlugins": {"kit@shelf": True}})
    (active,) = [each.found for each in world.standing("packages") if each.state == ACTIVE]
    assert active.item.path == str(shelf / "plugins/kit")


def test_a_marketplace_may_say_what_a_plugin_without_a_manifest_brings(world: ClaudeWorld) -> None:
    entry = {"name": "kit", "source": "./", "strict": False, "skills": ["./some/notes"]}
    shelf = _market(world, entry)
    written(shelf / "some/notes/SKILL.md", SKILL.format(name="notes"))
    written(shelf / "some/other/SKILL.md", SKILL.format(name="other"))
    world.user(".claude/settings.json", {"enabledPlugins": {"kit@shelf": True}})
    assert world.states("skills") == {"kit:notes": ACTIVE}


def test_components_in_the_marketplace_and_a_manifest_do_not_go_together(world: ClaudeWorld) -> None:
    shelf = _market(world, {"name": "kit", "source": "./kit", "strict": False, "commands": ["./commands/fix.md"]})
    written(shelf / "kit/.claude-plugin/plugin.json", {"name": "kit"})
    world.user(".claude/settings.json", {"enabledPlugins": {"kit@shelf": True}})
    held = world.held("packages").held
    assert held is not None
    assert (held.name, Path(held.path).name) == (REFUSED, "marketplace.json")


@pytest.mark.parametrize(("trusted", "state"), [(True, ACTIVE), (False, UNTRUSTED)])
def test_a_marketplace_of_the_project_counts_in_a_trusted_folder(trusted: bool, state: str, world: ClaudeWorld) -> None:
    shelf = _market(world, {"name": "kit", "source": "./kit"})
    (world.home / ".claude/plugins/known_marketplaces.json").unlink()
    written(shelf / "kit/.claude-plugin/plugin.json", {"name": "kit"})
    declared = {"shelf": {"source": {"source": "directory", "path": str(shelf)}}}
    settings = {"enabledPlugins": {"kit@shelf": True}, "extraKnownMarketplaces": declared}
    world.project(".claude/settings.json", settings)
    if trusted:
        world.trust()
    assert world.states("packages") == {"kit": state}


@pytest.mark.parametrize(("trusted", "state"), [(True, ACTIVE), (False, UNTRUSTED)])
def test_a_plugin_in_the_projects_skills_folder_needs_trust(trusted: bool, state: str, world: ClaudeWorld) -> None:
    world.project(".claude/skills/kit/.claude-plugin/plugin.json", {"name": "kit"})
    world.project(".claude/skills/kit/commands/fix.md", "Fix it")
    if trusted:
        world.trust()
    assert world.states("commands") == {"fix": state}


def test_a_plugin_whose_dependency_does_not_load_does_not_load(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit", "dependencies": ["base"]})
    held = world.held("packages").held
    assert held is not None
    assert (held.name, "base@market" in held.reason) == (REFUSED, True)
    install(world.home, "base@market", world.home / ".claude")
    assert world.states("packages") == {"kit": ACTIVE, "base": ACTIVE}


def test_the_administrator_can_rule_out_marketplaces(world: ClaudeWorld, tmp_path: Path) -> None:
    world.plugin({"name": "kit"})
    rules: list[tuple[dict[str, object], str]] = [
        ({"strictKnownMarketplaces": []}, REFUSED),
        ({"strictKnownMarketplaces": [{"source": "github", "repo": "somebody/*"}]}, ""),
        ({"blockedMarketplaces": [{"source": "github", "repo": "somebody/market"}]}, REFUSED),
        ({"strictKnownMarketplaces": [{"source": "hostPattern", "hostPattern": "^github"}]}, ""),
    ]
    for number, (rule, expected) in enumerate(rules):
        written(tmp_path / f"etc{number}/managed-settings.json", rule)
        (plugin,) = installed_here(_managed(world, tmp_path / f"etc{number}"))
        assert isinstance(plugin, InstalledPlugin)
        assert (plugin.held.name if plugin.held else "") == expected, rule


# Settings files


@pytest.mark.parametrize(
    "values",
    [
        {"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}},
        {"hooks": {"PermissionRequest": {}}},
        {"hooks": {"Stop": [{"PreToolUse": [{"hooks": [RUNS]}]}]}},
        {"hooks": {"matcher": "Bash", "hooks": [RUNS]}},
        {"hooks": {"Never": {"hooks": [RUNS]}}},
        {"PreToolUse": [{"hooks": [RUNS]}]},
        {"other": {"PreToolUse": [{"hooks": [RUNS]}]}},
        {"model": 5},
        {"model": None},
        {"verbose": "yes"},
        {"permissions": {"deny": "Bash"}},
        {"permissions": {"defaultMode": "never"}},
        {"enabledPlugins": {"kit@market": "yes"}},
        {"enabledMcpjsonServers": "a b"},
        {"skillOverrides": {"notes": "no"}},
        {"cleanupPeriodDays": 0},
        {"quietHours": {"start": "26:00"}},
    ],
)
def test_a_settings_file_with_such_an_entry_is_refused_whole(values: dict[str, object], world: ClaudeWorld) -> None:
    assert settings_flaw(values)
    world.user(".claude/settings.json", {"disableAllHooks": True, **values})
    world.project(".claude/settings.json", {"hooks": {"Stop": [{"hooks": [RUNS]}]}})
    assert [each.state for each in world.standing("hooks") if "project" in each.found.source.level] == [ACTIVE]
    assert [each.state for each in world.standing("settings")] == [ACTIVE, REFUSED]
    assert world.codes("settings") == ["claude-settings-refused"]


@pytest.mark.parametrize(
    "values",
    [
        {"hooks": {"Stop": [1], "Never": [1], "SessionEnd": "x"}},
        {"hooks": {"PreToolUse": None}},
        {"hooks": {"PreToolUse": [{"hooks": []}]}},
        {"permissions": {"deny": [1, "Bash("], "unknown": 1}},
        {"theme": 5, "unknown": 1, "extraKnownMarketplaces": 5},
        {"env": {"A": 1}},
        {"enabledMcpjsonServers": "docs"},
        {"quietHours": {"start": "22:00"}},
    ],
)
def test_other_mistakes_cost_no_more_than_themselves(values: dict[str, object]) -> None:
    assert settings_flaw(values) is None


def test_a_refused_file_is_reported_with_the_line_and_its_hooks_are_refused(world: ClaudeWorld) -> None:
    hooks = '{"Stop": [{"hooks": [{"type": "command", "command": "x"}]}],\n "PreToolUse": [1]}'
    world.user(".claude/settings.json", f'{{"hooks": {hooks}}}')
    problem = world.problem("settings", "claude-settings-refused")
    assert (problem.severity, problem.line) == ("error", 2)
    assert [each.state for each in world.standing("hooks")] == [REFUSED]


# Hooks


def test_the_strongest_file_decides_about_all_hooks(world: ClaudeWorld) -> None:
    hooks = {"hooks": {"Stop": [{"hooks": [RUNS]}]}}
    world.user(".claude/settings.json", {**hooks, "disableAllHooks": True})
    assert [each.state for each in world.standing("hooks")] == [OFF]
    world.project(".claude/settings.local.json", {"disableAllHooks": False})
    assert [each.state for each in world.standing("hooks")] == [ACTIVE]


def test_hooks_that_are_off_name_the_switch(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"})
    world.project(".claude/settings.json", '{\n "disableAllHooks": true}')
    held = world.held("hooks").held
    assert held is not None
    assert (held.reason, held.line) == ("`disableAllHooks` of the project's settings switches off every hook", 2)


def _managed(world: ClaudeWorld, folder: Path, kind: str = "hooks") -> Where[WithSettings]:
    places = Places(str(world.home), str(world.cwd))
    options = WithSettings("", managed=str(folder))
    return Where(places, Run(), kind, "claude", "Claude Code", options=options, harness=HARNESS)


def test_the_administrator_can_allow_managed_hooks_only(world: ClaudeWorld, tmp_path: Path) -> None:
    hooks = {"hooks": {"Stop": [{"hooks": [RUNS]}]}}
    world.user(".claude/settings.json", hooks)
    written(tmp_path / "etc/managed-settings.json", {**hooks, "allowManagedHooksOnly": True})
    found = [each for each in settings_hooks.find(_managed(world, tmp_path / "etc")) if isinstance(each, Found)]
    assert [(each.source.level, bool(each.held)) for each in found] == [("managed", False), ("user", True)]


def test_a_broken_guard_of_the_administrator_costs_the_hooks_there_alone(world: ClaudeWorld, tmp_path: Path) -> None:
    hooks = {"Stop": [{"hooks": [RUNS]}], "PreToolUse": [1]}
    written(tmp_path / "etc/managed-settings.json", {"hooks": hooks, "allowManagedHooksOnly": True})
    world.user(".claude/settings.json", {"hooks": {"Stop": [{"hooks": [RUNS]}]}})
    found = [each for each in settings_hooks.find(_managed(world, tmp_path / "etc")) if isinstance(each, Found)]
    assert [each.held.name for each in found if each.held] == [REFUSED, OFF]


# Servers


def _servers(*names: str, command: str = "run") -> dict[str, object]:
    return {"mcpServers": {name: {"command": command} for name in names}}


def test_a_server_of_the_project_waits_for_approval_and_leaves_its_name_to_the_users(world: ClaudeWorld) -> None:
    world.project(".mcp.json", _servers("docs", "issues"))
    world.user(".claude.json", _servers("docs", command="mine"))
    found = [(each.found.item.name, each.found.source.level, each.state) for each in world.standing("mcp-servers")]
    assert found == [("docs", "project", WAITING), ("issues", "project", WAITING), ("docs", "user", ACTIVE)]
    held = world.held("mcp-servers").held
    assert held is not None
    assert "approval in Claude Code" in held.reason
    assert "approve it" in held.change


@pytest.mark.parametrize(
    ("local", "state"),
    [
        (None, ACTIVE),
        ({"model": "opus"}, ACTIVE),
        ({"hooks": {"PreToolUse": [{"matcher": "Bash"}]}}, WAITING),
        ("{", WAITING),
    ],
)
def test_an_approval_of_an_older_version_counts_where_it_can_move_to_the_local_settings(
    local: object, state: str, world: ClaudeWorld
) -> None:
    world.trust(enabledMcpjsonServers=["docs"])
    world.project(".mcp.json", _servers("docs"))
    if local is not None:
        world.project(".claude/settings.local.json", local)
    assert world.states("mcp-servers") == {"docs": state}


@pytest.mark.parametrize(
    "approval",
    [{"enableAllProjectMcpServers": True}, {"enabledMcpjsonServers": ["docs"]}, {"enabledMcpjsonServers": "docs"}],
)
@pytest.mark.parametrize(
    ("file", "trusted", "state"),
    [
        ("user", False, ACTIVE),
        ("user", True, ACTIVE),
        ("settings.json", True, ACTIVE),
        ("settings.json", False, UNTRUSTED),
        ("settings.local.json", True, ACTIVE),
        ("settings.local.json", False, UNTRUSTED),
    ],
)
def test_the_project_can_approve_its_servers_in_a_trusted_folder_only(
    file: str, trusted: bool, state: str, approval: object, world: ClaudeWorld
) -> None:
    world.project(".mcp.json", _servers("docs"))
    if file == "user":
        world.user(".claude/settings.json", approval)
    else:
        world.project(f".claude/{file}", approval)
    if trusted:
        world.trust()
    assert world.states("mcp-servers") == {"docs": state}


def test_any_file_can_reject_a_server(world: ClaudeWorld) -> None:
    world.project(".mcp.json", _servers("docs"))
    world.user(".claude/settings.json", {"enableAllProjectMcpServers": True})
    world.project(".claude/settings.json", '{"disabledMcpjsonServers": [\n "docs"]}')
    held = world.held("mcp-servers").held
    assert held is not None
    assert (held.name, held.line) == (OFF, 2)


def test_a_server_that_is_off_for_this_project_says_so(world: ClaudeWorld) -> None:
    project = {str(world.repository): {"disabledMcpServers": ["docs"]}}
    world.user(".claude.json", {**_servers("docs", "issues"), "projects": project})
    assert world.states("mcp-servers") == {"docs": OFF, "issues": ACTIVE}


def test_what_belongs_to_a_project_is_kept_under_the_root_of_its_repository(world: ClaudeWorld) -> None:
    world.cwd = world.project("deep/er/file").parent
    projects = {str(world.repository): _servers("root"), str(world.cwd): _servers("near")}
    world.user(".claude.json", {"projects": projects})
    assert world.states("mcp-servers") == {"root": ACTIVE}


@pytest.mark.parametrize(
    ("text", "state"), [("{'a': 1}", REFUSED), ("// x\n{}", REFUSED), (" \n", ACTIVE), ("[]", ACTIVE)]
)
def test_the_program_does_not_start_where_its_own_file_is_no_json(text: str, state: str, world: ClaudeWorld) -> None:
    world.user(".claude.json", text)
    world.user(".claude/skills/notes/SKILL.md", "Take notes")
    world.user(".claude/settings.json", {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}})
    for kind in ("skills", "commands", "hooks"):
        assert [each.state for each in world.standing(kind)] == [state], kind


def test_local_settings_count_here_and_at_the_root_of_a_repository_that_is_complete(world: ClaudeWorld) -> None:
    world.project(".claude/settings.local.json", {})
    world.cwd = world.project("deep/.claude/settings.local.json", {}).parents[1]
    assert world.paths("settings") == [".claude/settings.local.json", "deep/.claude/settings.local.json"]
    (world.repository / ".git/HEAD").unlink()
    assert world.paths("settings") == ["deep/.claude/settings.local.json"]


def test_a_worktree_takes_the_local_settings_of_the_main_checkout_and_not_its_context(world: ClaudeWorld) -> None:
    own = world.repository / ".claude/worktrees/side"
    worktree(world.repository, own)
    world.project("CLAUDE.md", "of the main checkout")
    world.project(".claude/settings.local.json", {})
    written(own / "CLAUDE.md", "of the worktree")
    written(own / "deep/.claude/settings.local.json", {})
    written(own / ".claude/settings.local.json", {})
    world.cwd = own / "deep"
    inside = ".claude/worktrees/side"
    assert world.paths("context-files") == [f"{inside}/CLAUDE.md"]
    assert world.paths("settings") == [".claude/settings.local.json", f"{inside}/deep/.claude/settings.local.json"]


def test_mcp_json_is_read_up_to_the_top_of_the_file_system(world: ClaudeWorld) -> None:
    written(world.repository.parent / ".mcp.json", _servers("above"))
    assert world.states("mcp-servers") == {"above": WAITING}


@pytest.mark.parametrize(
    ("rules", "states"),
    [
        ({"deniedMcpServers": [{"serverName": "docs"}]}, {"docs": OFF, "web": ACTIVE}),
        ({"deniedMcpServers": [{"serverCommand": ["run", "x"]}]}, {"docs": OFF, "web": ACTIVE}),
        ({"deniedMcpServers": [{"serverUrl": "https://*.example.com/*"}]}, {"docs": ACTIVE, "web": OFF}),
        ({"allowedMcpServers": [{"serverName": "docs"}]}, {"docs": ACTIVE, "web": OFF}),
        ({"allowedMcpServers": [{"serverName": "docs"}, {"serverCommand": ["b"]}]}, {"docs": OFF, "web": OFF}),
        ({"allowedMcpServers": []}, {"docs": OFF, "web": OFF}),
    ],
)
def test_servers_can_be_denied_and_allowed(rules: object, states: dict[str, str], world: ClaudeWorld) -> None:
    found = {"docs": {"command": "run", "args": ["x"]}, "web": {"type": "http", "url": "https://a.example.com/mcp"}}
    world.user(".claude.json", {"mcpServers": found})
    world.user(".claude/settings.json", rules)
    assert world.states("mcp-servers") == states


def test_a_denied_server_takes_its_name_along(world: ClaudeWorld) -> None:
    world.user(".claude.json", _servers("docs", command="mine"))
    world.project(".mcp.json", _servers("docs", command="theirs"))
    denied = [{"serverCommand": ["theirs"]}]
    world.user(".claude/settings.json", {"enableAllProjectMcpServers": True, "deniedMcpServers": denied})
    assert [each.state for each in world.standing("mcp-servers")] == [OFF, SHADOWED]


def test_where_the_administrator_lists_servers_there_are_no_others(world: ClaudeWorld, tmp_path: Path) -> None:
    written(tmp_path / "etc/managed-mcp.json", _servers("ours"))
    world.user(".claude.json", _servers("docs"))
    found = servers.find(_managed(world, tmp_path / "etc", "mcp-servers"))
    held = {each.item.name: bool(each.held) for each in found if isinstance(each, Found)}
    assert held == {"ours": False, "docs": True}


def test_a_plugins_server_that_starts_the_same_as_another_does_not_start(world: ClaudeWorld) -> None:
    folder = world.plugin({"name": "kit"})
    written(folder / ".mcp.json", {**_servers("one", command="mine"), "other": 1})
    assert world.states("mcp-servers") == {"plugin:kit:one": ACTIVE}
    world.user(".claude.json", _servers("docs", command="mine"))
    assert world.states("mcp-servers") == {"docs": ACTIVE, "plugin:kit:one": SHADOWED}


# Skills, commands, subagents, context files


def test_skill_overrides_switch_off_skills_and_commands_but_no_plugins(world: ClaudeWorld) -> None:
    world.plugin({"name": "kit"})
    world.project(".claude/skills/deploy/SKILL.md", SKILL.format(name="deploy"))
    world.project(".claude/commands/fix.md", "Fix it")
    off = dict.fromkeys(("deploy", "fix", "kit:notes"), "off")
    world.project(".claude/settings.json", {"skillOverrides": off})
    assert world.states("skills") == {"deploy": OFF, "kit:notes": ACTIVE}
    assert world.states("commands") == {"fix": OFF, "deploy": OFF, "notes": ACTIVE}
    world.project(".claude/settings.local.json", {"skillOverrides": {"deploy": "on", "fix": "name-only"}})
    assert world.states("skills") == {"deploy": ACTIVE, "kit:notes": ACTIVE}
    assert world.states("commands") == {"fix": ACTIVE, "deploy": ACTIVE, "notes": ACTIVE}


def test_what_is_denied_to_the_model_is_off(world: ClaudeWorld) -> None:
    for name in ("one", "two", "three"):
        world.user(f".claude/agents/{name}.md", AGENT.format(name=name))
    world.user(".claude/skills/deploy/SKILL.md", SKILL.format(name="deploy"))
    deny = '{"permissions": {"deny": ["Agent(one)",\n "Task(two)", "Skill(deploy)", "Bash(rm *)"]}}'
    world.user(".claude/settings.json", deny)
    assert world.states("subagents") == {"one": OFF, "three": ACTIVE, "two": OFF}
    held = world.held("subagents", "two").held
    assert held is not None
    assert (held.reason, held.line) == ("`permissions.deny` of the user's settings denies `Task(two)` to the model", 2)
    assert world.states("skills") == {"deploy": OFF}


def test_subagents_are_listed_by_name(world: ClaudeWorld) -> None:
    for name in ("b", "C", "a"):
        world.project(f".claude/agents/{name}.md", AGENT.format(name=name))
    world.user(".claude/agents/aa.md", AGENT.format(name="aa"))
    assert list(world.states("subagents")) == ["a", "aa", "b", "C"]


@pytest.mark.parametrize(
    ("surfaces", "held"), [(True, True), (["skills"], True), (["agents"], False), (False, False), ([], False)]
)
def test_the_administrator_can_leave_skills_to_plugins(
    surfaces: object, held: bool, world: ClaudeWorld, tmp_path: Path
) -> None:
    written(tmp_path / "etc/managed-settings.json", {"strictPluginOnlyCustomization": surfaces})
    skill = Found(Skill("deploy", "", "/x", {}, 1), Source("claude", "Claude Code", "/x", "user"))
    where = _managed(world, tmp_path / "etc", "skills")
    assert bool(state_of("skills", skill, where)) is held
    assert state_of("skills", skill.replace(package="kit"), where) is None


@pytest.mark.parametrize(
    ("pattern", "states"),
    [
        ("**/CLAUDE.md", [OFF, OFF, ACTIVE]),
        ("@/CLAUDE.md", [ACTIVE, OFF, ACTIVE]),
        ("@/.claude/{rules,other}/**", [ACTIVE, ACTIVE, OFF]),
        ("CLAUDE.md", [ACTIVE, ACTIVE, ACTIVE]),
        ("[", [ACTIVE, ACTIVE, ACTIVE]),
    ],
)
def test_context_files_can_be_left_out(pattern: str, states: list[str], world: ClaudeWorld) -> None:
    world.user(".claude/CLAUDE.md", "mine")
    world.project("CLAUDE.md", "ours")
    world.project(".claude/rules/style.md", "rule")
    world.user(".claude/settings.json", {"claudeMdExcludes": [pattern.replace("@", str(world.repository))]})
    assert [each.state for each in world.standing("context-files")] == states


def test_a_claude_md_without_text_leaves_its_place_to_agents_md(world: ClaudeWorld) -> None:
    world.project("AGENTS.md", "root")
    world.project("CLAUDE.md", " \n")
    assert "AGENTS.md" in world.paths("context-files")
    world.project("CLAUDE.md", "ours")
    assert world.paths("context-files") == ["CLAUDE.md"]


def test_agents_md_stands_for_claude_md_where_no_folder_on_the_way_has_one(world: ClaudeWorld) -> None:
    world.project("AGENTS.md", "root")
    world.project(".claude/rules/style.md", "rule")
    world.cwd = world.project("deep/AGENTS.md", "near").parent
    assert world.paths("context-files") == ["AGENTS.md", ".claude/rules/style.md", "deep/AGENTS.md"]
    world.project("CLAUDE.md", "ours")
    assert world.paths("context-files") == ["CLAUDE.md", ".claude/rules/style.md"]
    world.user(".claude/settings.json", {"claudeMdExcludes": ["**/CLAUDE.md"]})
    assert world.paths("context-files") == ["AGENTS.md", ".claude/rules/style.md", "deep/AGENTS.md"]


def test_in_a_plugin_a_command_comes_before_a_skill_of_its_name(world: ClaudeWorld) -> None:
    folder = world.plugin({"name": "kit"})
    written(folder / "commands/notes.md", "Take notes")
    assert world.states("commands") == {"notes": ACTIVE}
    assert [each.state for each in world.standing("skills")] == [SHADOWED]


def test_a_subagent_of_a_plugin_needs_no_header(world: ClaudeWorld) -> None:
    folder = world.plugin({"name": "kit"})
    written(folder / "agents/judge.md", "You judge.")
    assert world.states("subagents") == {"kit:judge": ACTIVE}


@pytest.mark.parametrize("config", [{"command": "x", "type": "other"}, {"type": "http"}, {"command": "x", "args": "y"}])
def test_a_server_of_a_wrong_shape_does_not_start(config: object, world: ClaudeWorld) -> None:
    world.user(".claude.json", {"mcpServers": {"docs": config, "good": {"command": "x"}}})
    assert [each.found.item.name for each in world.standing("mcp-servers") if each.state == ACTIVE] == ["good"]


def test_where_marketplaces_are_listed_a_plugin_in_a_skills_folder_is_refused(
    world: ClaudeWorld, tmp_path: Path
) -> None:
    world.user(".claude/skills/kit/.claude-plugin/plugin.json", {"name": "kit"})
    written(tmp_path / "etc/managed-settings.json", {"strictKnownMarketplaces": []})
    (plugin,) = installed_here(_managed(world, tmp_path / "etc"))
    assert isinstance(plugin, InstalledPlugin)
    assert plugin.held is not None
    assert plugin.held.name == REFUSED


@pytest.mark.parametrize("value", ["false", "no", "0", "2", "", '""', "[]", "perhaps", "'false'"])
def test_a_command_that_only_the_model_may_use_is_off(world: World, value: str) -> None:
    """As the `init` event of Claude Code 2.1.325 has them: whatever is not yes hides; one spelling counts."""
    world.project(".claude/commands/quiet.md", f"---\nuser-invocable: {value}\n---\nx")
    world.project(".claude/skills/silent/SKILL.md", f"---\nuser-invocable: {value}\n---\nx")
    world.project(".claude/commands/other.md", f"---\nuser-invokable: {value}\n---\nx")
    assert states(world, "commands") == {"quiet": "off", "other": "active"}
    assert "user-invocable" in reasons(world, "commands")["quiet"]


@pytest.mark.parametrize("value", ["true", "TRUE", "yes", "on", "1", "'true'"])
def test_a_command_that_users_may_use_says_so_in_many_ways(world: World, value: str) -> None:
    world.project(".claude/commands/loud.md", f"---\nuser-invocable: {value}\n---\nx")
    assert states(world, "commands") == {"loud": "active"}

"""What Gemini CLI 0.61 does not load, and the switch, the trust or the question that decides."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.found import Candidate
from pisces.discovery.harness import Run
from pisces.discovery.registry import Switches, discover
from pisces.discovery.standing import Standing, standing
from pisces.discovery.state import ACTIVE, INVALID, OFF, REFUSED, SHADOWED, UNTRUSTED, WAITING, State
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.settings import SettingsScope, settings_from
from pisces.harnesses.gemini.system_files import is_secure
from pisces.places import Places

SKILL = "---\nname: {0}\ndescription: d\n---\nbody"
AGENT = "---\nname: {0}\ndescription: d\n---\nprompt"
RULE = '[[rule]]\ntoolName = "glob"\ndecision = "deny"\npriority = 1'
HOOK = {"type": "command", "command": "check"}
KINDS = ("commands", "skills", "subagents", "hooks", "mcp-servers", "context-files", "policies")


class World:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.places = Places(str(root / "home"), str(root / "project"), {})

    def path(self, path: str) -> Path:
        base = self.root / "home" if path.startswith("~/") else self.root / "project"
        return base / path.removeprefix("~/")

    def write(self, path: str, text: object) -> Path:
        file = self.path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text if isinstance(text, str) else json.dumps(text, indent=1))
        return file

    def trust(self) -> None:
        self.write("~/.gemini/trustedFolders.json", {self.places.cwd: "TRUST_FOLDER"})

    def package(self, name: str, folder: str = "", **manifest: object) -> str:
        base = f"~/.gemini/extensions/{folder or name}"
        self.write(f"{base}/gemini-extension.json", {"name": name, "version": "1.0.0", **manifest})
        return base

    def stand(self, kind: str) -> Standing:
        return standing(HARNESS, capability_named(kind), self.places, Run())

    def states(self, kind: str) -> list[tuple[str, str]]:
        return [(_name(each), each.state) for each in self.stand(kind).candidates]

    def held(self, kind: str, name: str = "") -> State:
        held = [each.held for each in self.stand(kind).candidates if each.held and name in (_name(each), "")]
        assert held
        return held[0]

    def in_pisces(self, kind: str) -> list[str]:
        only = Switches(only_harnesses=frozenset({"gemini"}))
        return [_name(Candidate(each, "")) for each in discover(capability_named(kind), self.places, only).items]


def _name(each: Candidate) -> str:
    item = each.found.item
    for field in ("final_name", "event", "name"):
        if getattr(item, field, ""):
            return str(getattr(item, field))
    return Path(item.path).name


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "project").mkdir()
    (tmp_path / "home" / ".gemini").mkdir(parents=True)
    return World(tmp_path)


def everything(world: World, base: str) -> None:
    world.write(f"{base}/commands/go.toml", 'prompt = "go"')
    world.write(f"{base}/skills/review/SKILL.md", SKILL.format("review"))
    world.write(f"{base}/agents/reader.md", AGENT.format("reader"))
    world.write(f"{base}/policies/p.toml", RULE)


def test_nothing_of_a_project_loads_in_a_folder_that_nobody_answered_for(world: World) -> None:
    everything(world, ".gemini")
    world.write("GEMINI.md", "context")
    world.write(".gemini/settings.json", {"hooks": {"BeforeTool": [{"hooks": [HOOK]}]}})
    for kind in ("commands", "skills", "subagents", "hooks", "context-files", "settings"):
        assert {state for _, state in world.states(kind)} == {UNTRUSTED}, kind
    held = world.held("skills")
    assert held.path.endswith("trustedFolders.json")
    assert "trust question" in held.change


def test_what_the_user_has_still_loads_there_but_servers_hooks_and_commands_of_packages_do_not(world: World) -> None:
    everything(world, "~/.gemini")
    settings = {"hooks": {"BeforeTool": [{"hooks": [HOOK]}]}, "mcpServers": {"docs": {"command": "docs"}}}
    world.write("~/.gemini/settings.json", settings)
    base = world.package("kit", mcpServers={"maps": {"command": "maps"}})
    world.write(f"{base}/commands/ship.toml", 'prompt = "ship"')
    world.write(f"{base}/hooks/hooks.json", {"hooks": {"AfterTool": [{"hooks": [HOOK]}]}})
    assert world.states("commands") == [("go", ACTIVE), ("ship", UNTRUSTED)]
    assert world.states("mcp-servers") == [("docs", UNTRUSTED), ("maps", UNTRUSTED)]
    assert world.states("hooks") == [("BeforeTool", UNTRUSTED), ("AfterTool", ACTIVE)]
    for kind in ("skills", "subagents", "policies"):
        assert [state for _, state in world.states(kind)] == [ACTIVE], kind


def test_an_unanswered_question_says_nothing_about_pisces_but_a_no_does(world: World) -> None:
    everything(world, ".gemini")
    assert world.in_pisces("skills") == ["review"]
    world.write("~/.gemini/trustedFolders.json", {world.places.cwd: "DO_NOT_TRUST"})
    assert world.in_pisces("skills") == []


@pytest.mark.parametrize(
    ("rules", "trusted"),
    [
        ({"project": "TRUST_FOLDER"}, True),
        ({"project/deeper": "TRUST_PARENT"}, True),
        ({"project/deeper": "TRUST_FOLDER"}, False),
        ({"": "TRUST_FOLDER", "project": "DO_NOT_TRUST"}, False),
        ({"": "DO_NOT_TRUST", "project": "TRUST_FOLDER"}, True),
        ({"proj": "TRUST_FOLDER"}, False),
        ({"link": "TRUST_FOLDER"}, True),
    ],
)
def test_the_longest_rule_of_the_trusted_folders_decides(world: World, rules: dict[str, str], trusted: bool) -> None:
    (world.root / "link").symlink_to(world.places.cwd)
    world.write("~/.gemini/trustedFolders.json", {str(world.root / key): level for key, level in rules.items()})
    world.write(".gemini/skills/review/SKILL.md", SKILL.format("review"))
    assert world.states("skills") == [("review", ACTIVE if trusted else UNTRUSTED)]


@pytest.mark.parametrize(
    ("env", "state"),
    [
        ({"GEMINI_CLI_TRUST_WORKSPACE": "true"}, ACTIVE),
        ({"GEMINI_CLI_TRUST_WORKSPACE": "false"}, UNTRUSTED),
        ({"GEMINI_RESTRICTED_MODE": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true"}, UNTRUSTED),
    ],
)
def test_the_environment_has_the_first_word_on_trust(world: World, env: dict[str, str], state: str) -> None:
    world.write(".gemini/skills/review/SKILL.md", SKILL.format("review"))
    world.places = world.places.replace(env=env)
    assert world.states("skills") == [("review", state)]


def test_folder_trust_can_be_off_and_a_project_cannot_turn_it_off_for_itself(world: World) -> None:
    world.write(".gemini/skills/review/SKILL.md", SKILL.format("review"))
    off = {"security": {"folderTrust": {"enabled": False}}}
    world.write(".gemini/settings.json", off)
    assert world.states("skills") == [("review", UNTRUSTED)]
    world.write("~/.gemini/settings.json", off)
    assert world.states("skills") == [("review", ACTIVE)]


def test_a_skill_that_settings_disable_is_off_by_any_spelling(world: World) -> None:
    world.trust()
    world.write("~/.gemini/skills/review/SKILL.md", SKILL.format("Review"))
    world.write("~/.gemini/skills/api/SKILL.md", SKILL.format("api"))
    world.write("~/.gemini/settings.json", '// mine\n{"skills": {\n"disabled": [\n"other",\n"REVIEW"]}}')
    assert world.states("skills") == [("api", ACTIVE), ("Review", OFF)]
    held = world.held("skills")
    assert (held.path, held.line) == (str(world.path("~/.gemini/settings.json")), 5)
    assert held.change == "`gemini skills enable Review`"
    assert world.in_pisces("skills") == ["api"]


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"skills": {"enabled": False}}, "skills"),
        ({"experimental": {"enableAgents": False}}, "subagents"),
        ({"agents": {"overrides": {"reader": {"enabled": False}}}}, "subagents"),
        ({"hooksConfig": {"enabled": False}}, "hooks"),
        ({"hooksConfig": {"disabled": ["check"]}}, "hooks"),
    ],
)
def test_a_switch_names_its_file_and_line(world: World, settings: dict[str, object], kind: str) -> None:
    world.trust()
    everything(world, "~/.gemini")
    world.write("~/.gemini/settings.json", {"hooks": {"BeforeTool": [{"hooks": [HOOK]}]}})
    assert [state for _, state in world.states(kind)] == [ACTIVE]
    world.write(".gemini/settings.json", settings)
    assert [state for _, state in world.states(kind)] == [OFF]
    held = world.held(kind)
    assert held.path == str(world.path(".gemini/settings.json"))
    assert held.line > 1


def test_agents_of_a_project_wait_until_they_are_acknowledged_as_they_are(world: World) -> None:
    world.trust()
    file = world.write(".gemini/agents/reader.md", AGENT.format("reader"))
    assert world.states("subagents") == [("reader", WAITING)]
    seen = {world.places.cwd: {"reader": hashlib.sha256(file.read_bytes()).hexdigest()}}
    world.write("~/.gemini/acknowledgments/agents.json", seen)
    assert world.states("subagents") == [("reader", ACTIVE)]
    file.write_text(AGENT.format("reader") + " changed")
    assert world.states("subagents") == [("reader", WAITING)]
    assert "changed" in world.held("subagents").reason


def test_an_agent_that_waits_leaves_its_name_to_the_user(world: World) -> None:
    world.trust()
    for base in (".gemini", "~/.gemini"):
        world.write(f"{base}/agents/reader.md", AGENT.format("reader"))
        world.write(f"{base}/agents/cli_help.md", AGENT.format("cli_help"))
    states = sorted(world.states("subagents"))
    assert states == [("cli_help", SHADOWED), ("cli_help", WAITING), ("reader", ACTIVE), ("reader", WAITING)]


@pytest.mark.parametrize(
    ("user", "project", "started"),
    [
        ({"excluded": ["docs"]}, {}, ["maps"]),
        ({"excluded": ["DOCS"]}, {}, ["docs", "maps"]),
        ({"allowed": ["docs"]}, {}, ["docs"]),
        ({"allowed": []}, {}, ["docs", "maps"]),
        ({"allowed": ["docs", "maps"]}, {"allowed": ["maps", "db"]}, ["maps"]),
        ({"allowed": ["docs"]}, {"allowed": ["maps"]}, ["docs", "maps"]),  # nothing in common counts as no list
        ({"excluded": ["docs"]}, {"excluded": ["maps"]}, []),
    ],
)
def test_lists_of_servers_can_only_take_away(world: World, user: object, project: object, started: list[str]) -> None:
    world.trust()
    servers = {"docs": {"command": "docs"}, "maps": {"command": "maps"}}
    world.write("~/.gemini/settings.json", {"mcp": user, "mcpServers": servers})
    world.write(".gemini/settings.json", {"mcp": project})
    assert [name for name, state in world.states("mcp-servers") if state == ACTIVE] == started


def test_a_server_that_was_disabled_at_the_shell_is_off(world: World) -> None:
    world.trust()
    world.write("~/.gemini/settings.json", {"mcpServers": {"Docs": {"command": "docs"}}})
    world.write("~/.gemini/mcp-server-enablement.json", {"docs": {"enabled": False}})
    assert world.states("mcp-servers") == [("Docs", OFF)]
    assert world.held("mcp-servers").change == "`gemini mcp enable Docs`"


def test_gemini_ignores_a_switch_inside_the_entry_of_a_server(world: World) -> None:
    world.trust()
    world.write("~/.gemini/settings.json", {"mcpServers": {"docs": {"command": "docs", "disabled": True}}})
    assert world.states("mcp-servers") == [("docs", ACTIVE)]


def test_an_entry_without_a_command_adds_to_the_server_of_a_package(world: World) -> None:
    world.trust()
    world.package("kit", mcpServers={"docs": {"command": "docs", "env": {"A": "1"}}})
    world.write("~/.gemini/settings.json", {"mcpServers": {"docs": {"timeout": 5, "env": {"B": "2"}}}})
    found = world.stand("mcp-servers")
    assert found.diagnostics == ()
    (candidate,) = found.candidates
    assert (candidate.state, candidate.found.package) == (ACTIVE, "kit")
    assert candidate.found.item.config == {"command": "docs", "env": {"A": "1", "B": "2"}, "timeout": 5}


def test_an_entry_without_a_command_hides_the_one_below_it(world: World) -> None:
    world.trust()
    world.write("~/.gemini/settings.json", {"mcpServers": {"docs": {"command": "docs"}}})
    world.write(".gemini/settings.json", {"mcpServers": {"docs": {"timeout": 5}}})
    found = world.stand("mcp-servers")
    assert [each.state for each in found.candidates] == [SHADOWED]
    assert [each.code for each in found.diagnostics] == ["mcp-server-entry"]


def test_servers_stand_where_the_lowest_settings_have_them(world: World) -> None:
    world.trust()
    world.write("~/.gemini/settings.json", {"mcpServers": {"a": {"command": "u"}, "b": {"command": "u"}}})
    world.write(".gemini/settings.json", {"mcpServers": {"c": {"command": "w"}, "b": {"command": "w"}}})
    found = [
        (each.found.item.name, each.found.item.launch, each.state) for each in world.stand("mcp-servers").candidates
    ]
    assert found == [("a", "u", ACTIVE), ("b", "w", ACTIVE), ("c", "w", ACTIVE), ("b", "u", SHADOWED)]


def test_settings_add_to_some_lists_and_replace_other_values() -> None:
    low = {"skills": {"disabled": "a"}, "context": {"fileName": "A.md"}, "mcpServers": {"x": {"command": "x"}}}
    high = {"skills": {"disabled": ["b"]}, "context": {"fileName": ["B.md"]}, "mcpServers": {"x": {"timeout": 1}}}
    merged = settings_from((SettingsScope("low", "low.json", low), SettingsScope("high", "high.json", high))).merged
    assert merged["skills"] == {"disabled": ["a", "b"]}
    assert merged["context"] == {"includeDirectories": [], "fileName": ["B.md"]}
    assert merged["mcpServers"] == {"x": {"timeout": 1}}


def test_variables_in_settings_are_filled_in(world: World) -> None:
    world.places = world.places.replace(env={"OFF": "api"})
    world.write("~/.gemini/skills/api/SKILL.md", SKILL.format("api"))
    world.write("~/.gemini/settings.json", {"skills": {"disabled": ["${OFF}"]}})
    assert world.states("skills") == [("api", OFF)]


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX systems")
def test_system_settings_that_others_may_write_are_ignored(world: World) -> None:
    file = world.write("sys/settings.json", {"skills": {"enabled": False}})
    file.chmod(0o666)
    assert not is_secure(str(file))
    world.places = world.places.replace(env={"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(file)})
    world.write("~/.gemini/skills/api/SKILL.md", SKILL.format("api"))
    assert world.states("skills") == [("api", ACTIVE)]
    assert [state for _, state in world.states("settings")] == [OFF]


def test_admin_settings_come_from_the_server_alone(world: World) -> None:
    world.write("~/.gemini/skills/api/SKILL.md", SKILL.format("api"))
    world.write("~/.gemini/settings.json", {"admin": {"skills": {"enabled": False}}})
    assert world.states("skills") == [("api", ACTIVE)]


def test_what_a_disabled_package_brings_is_off_with_it(world: World) -> None:
    world.trust()
    base = world.package("kit", mcpServers={"docs": {"command": "docs"}}, contextFileName="KIT.md")
    everything(world, base)
    world.write(f"{base}/KIT.md", "context")
    world.write(f"{base}/hooks/hooks.json", {"hooks": {"AfterTool": [{"hooks": [HOOK]}]}})
    world.write("~/.gemini/extensions/extension-enablement.json", {"kit": {"overrides": [f"!{world.places.cwd}/*"]}})
    for kind in (*KINDS, "packages"):
        assert [state for _, state in world.states(kind)] == [OFF], kind
        assert world.held(kind).path.endswith("extension-enablement.json")
    assert world.held("skills").change == "`gemini extensions enable kit`"
    assert world.in_pisces("packages") == ["kit"]  # it is installed


def test_one_wrong_rule_and_every_package_is_enabled(world: World) -> None:
    world.trust()
    world.write(f"{world.package('kit')}/commands/go.toml", 'prompt = "go"')
    rules = {"kit": {"overrides": [f"!{world.places.cwd}/*"]}, "other": {"overrides": [1]}}
    world.write("~/.gemini/extensions/extension-enablement.json", rules)
    assert world.states("commands") == [("go", ACTIVE)]


def test_two_packages_of_one_name_stop_the_program(world: World) -> None:
    world.trust()
    world.package("kit")
    world.package("kit", "other")
    everything(world, "~/.gemini")
    assert world.states("skills") == [("review", REFUSED)]
    reason = world.held("skills").reason
    assert str(world.path("~/.gemini/extensions/kit")) in reason
    assert str(world.path("~/.gemini/extensions/other")) in reason
    assert world.in_pisces("skills") == ["review"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("~/.gemini/settings.json", "{"),
        (".gemini/settings.json", "[]"),
        ("~/.gemini/trustedFolders.json", '{"/x": "MAYBE"}'),
        ("~/.gemini/settings.json", '{"context": {"fileName": 5}}'),
        ("~/.gemini/settings.json", '{"context": {"includeDirectories": ["missing"]}}'),
        ("~/.gemini/settings.json", '{"general": {"defaultApprovalMode": "always"}}'),
        ("~/.gemini/settings.json", '{"mcpServers": {"docs": null}}'),
    ],
)
def test_a_file_that_stops_the_program_is_named(world: World, path: str, text: str) -> None:
    world.write("~/.gemini/skills/api/SKILL.md", SKILL.format("api"))
    world.write(path, text)
    assert world.states("skills") == [("api", REFUSED)]
    assert world.held("skills").path == str(world.path(path))


@pytest.mark.parametrize(
    ("security", "note", "state"),
    [
        ({"blockGitExtensions": True}, {"type": "git", "source": "https://a"}, OFF),
        ({"blockGitExtensions": True}, {"type": "local", "source": "/a"}, ACTIVE),
        ({"allowedExtensions": ["https:/a/"]}, {"type": "git", "source": "https://a/b"}, ACTIVE),
        ({"allowedExtensions": ["^https:"]}, {"type": "git", "source": "https://a/b"}, OFF),  # it matches with a path
        ({"allowedExtensions": ["^/a/"]}, {"type": "local", "source": "/a/b"}, ACTIVE),
        ({"allowedExtensions": ["^https://c"]}, {}, REFUSED),
        ({"allowedExtensions": ["("]}, {"type": "git", "source": "https://a/b"}, REFUSED),
        ({"allowedExtensions": []}, {}, ACTIVE),
    ],
)
def test_settings_can_limit_where_packages_come_from(
    world: World, security: object, note: dict[str, str], state: str
) -> None:
    base = world.package("kit")
    world.write(f"{base}/skills/review/SKILL.md", SKILL.format("review"))
    if note:
        world.write(f"{base}/.gemini-extension-install.json", note)
    world.write("~/.gemini/settings.json", {"security": security})
    assert world.states("skills") == [("review", state)]
    assert world.states("packages") == [("kit", state)]


@pytest.mark.parametrize(
    ("source", "state"),
    [
        ("https://github.com/a/b", ACTIVE),
        ("a/b", ACTIVE),
        ("git@github.com:a/b.git", ACTIVE),
        ("git@example.com:a", ACTIVE),
        ("https://example.com/a", ACTIVE),
        ("github:a", ACTIVE),
        ("https://github.com/a", INVALID),
        ("", INVALID),
    ],
)
def test_a_package_from_github_must_name_its_repository(world: World, source: str, state: str) -> None:
    base = world.package("kit")
    world.write(f"{base}/skills/review/SKILL.md", SKILL.format("review"))
    world.write(f"{base}/.gemini-extension-install.json", {"type": "git", "source": source})
    assert world.states("skills") == [("review", state)]


@pytest.mark.parametrize(("source", "state"), [([None], INVALID), ({}, INVALID), (3, INVALID), ("", ACTIVE)])
def test_a_source_that_is_no_text_costs_the_package(world: World, source: object, state: str) -> None:
    base = world.package("kit")
    world.write(f"{base}/.gemini-extension-install.json", {"type": "local", "source": source})
    assert world.states("packages") == [("kit", state)]


def test_a_package_with_a_server_that_is_null_is_dropped(world: World) -> None:
    base = world.package("kit", mcpServers={"docs": None, "other": {"command": "x"}})
    world.write(f"{base}/skills/review/SKILL.md", SKILL.format("review"))
    assert world.states("packages") == [("kit", INVALID)]
    assert world.states("skills") == []
    assert world.states("mcp-servers") == []


def test_a_variable_of_an_env_file_can_take_trust_away(world: World) -> None:
    world.trust()
    world.write(".gemini/skills/review/SKILL.md", SKILL.format("review"))
    world.write(".env", "# mine\nexport GEMINI_CLI_TRUST_WORKSPACE='false'\n")
    assert world.states("skills") == [("review", UNTRUSTED)]
    world.write(".gemini/.env", "OTHER=1\n")
    assert world.states("skills") == [("review", ACTIVE)]


def test_a_lone_hook_definition_in_settings_counts(world: World) -> None:
    world.trust()
    world.write("~/.gemini/settings.json", {"hooks": {"BeforeTool": {"hooks": [HOOK]}}})
    assert world.states("hooks") == [("BeforeTool", ACTIVE)]


def test_a_linked_package_is_found_at_its_source_without_any_rule(world: World) -> None:
    world.write("elsewhere/gemini-extension.json", {"name": "kit", "version": "1.0.0"})
    world.write("elsewhere/skills/review/SKILL.md", SKILL.format("review"))
    note = {"source": str(world.path("elsewhere")), "type": "link"}
    world.write("~/.gemini/extensions/kit/.gemini-extension-install.json", note)
    (package,) = world.stand("packages").candidates
    assert (package.state, package.found.item.path) == (ACTIVE, str(world.path("elsewhere")))
    assert world.states("skills") == [("review", ACTIVE)]


def test_packages_of_a_project_and_broken_ones_are_packages_for_pisces_alone(world: World) -> None:
    world.write(".gemini/extensions/mine/gemini-extension.json", {"name": "mine", "version": "1.0.0"})
    world.write("~/.gemini/extensions/bad/gemini-extension.json", {"name": "bad"})
    assert world.states("packages") == [("bad", INVALID), ("mine", OFF)]
    assert world.in_pisces("packages") == ["bad", "mine"]


def test_policies_of_a_project_are_never_read_and_paths_replace_the_users_folder(world: World) -> None:
    world.trust()
    world.write(".gemini/policies/p.toml", RULE)
    world.write("~/.gemini/policies/q.toml", RULE)
    world.write("~/more/r.toml", RULE)
    files = {Path(each.found.item.path).name: each for each in world.stand("policies").candidates}
    assert {name: each.state for name, each in files.items()} == {"q.toml": ACTIVE, "p.toml": OFF}
    world.write("~/.gemini/settings.json", {"policyPaths": ["~/more/r.toml"]})
    files = {Path(each.found.item.path).name: each for each in world.stand("policies").candidates}
    assert {name: each.state for name, each in files.items()} == {"r.toml": ACTIVE, "q.toml": OFF, "p.toml": OFF}
    assert files["r.toml"].found.item.priority == 4.001


def test_what_does_not_load_takes_no_name_from_commands_that_do(world: World) -> None:
    world.write("~/.gemini/commands/go.toml", 'prompt = "user"')
    world.write(".gemini/commands/go.toml", 'prompt = "project"')
    assert world.states("commands") == [("go", ACTIVE), ("workspace.go", UNTRUSTED)]
    world.trust()
    assert world.states("commands") == [("user.go", ACTIVE), ("workspace.go", ACTIVE)]


def test_context_names_are_added_to_the_usual_one(world: World) -> None:
    world.trust()
    for name in ("AGENTS.md", "GEMINI.md", "docs/CTX.md", "~/.gemini/AGENTS.md"):
        world.write(name, name)
    world.write("~/.gemini/settings.json", {"context": {"fileName": ["docs/CTX.md", "AGENTS.md"]}})
    assert [name for name, _ in world.states("context-files")] == ["AGENTS.md", "AGENTS.md", "GEMINI.md", "CTX.md"]


@pytest.mark.parametrize(
    ("marker", "settings", "expected"),
    [
        (".git", {}, ["top", "project", "deep"]),
        ("", {}, ["deep"]),
        (".root", {}, ["deep"]),
        (".root", {"memoryBoundaryMarkers": [".root"]}, ["top", "project", "deep"]),
        (".git", {"memoryBoundaryMarkers": []}, ["deep"]),
    ],
)
def test_context_is_looked_for_up_to_the_marker_only(
    world: World, marker: str, settings: dict[str, object], expected: list[str]
) -> None:
    for folder in ("..", ".", "deep"):
        world.write(f"{folder}/GEMINI.md", {"..": "top", ".": "project"}.get(folder, folder))
    if marker:
        (world.root / marker).mkdir()
    world.places = world.places.replace(cwd=str(world.path("deep")), env={"GEMINI_CLI_TRUST_WORKSPACE": "true"})
    world.write("~/.gemini/settings.json", {"context": settings})
    found = world.stand("context-files").candidates
    assert [Path(each.found.item.path).read_text() for each in found] == expected


def test_included_folders_bring_their_context_and_a_file_counts_once(world: World) -> None:
    world.trust()
    world.write("GEMINI.md", "project")
    world.path("AGENTS.md").symlink_to("GEMINI.md")
    world.write("~/shared/GEMINI.md", "shared")
    settings = {"context": {"includeDirectories": ["~/shared"], "fileName": "AGENTS.md"}}
    world.write("~/.gemini/settings.json", settings)
    found = [(each.found.item.path, each.state) for each in world.stand("context-files").candidates]
    assert found == [(str(world.path("~/shared/GEMINI.md")), ACTIVE), (str(world.path("AGENTS.md")), ACTIVE)]


def test_a_file_of_the_users_that_the_project_links_to_counts_once(world: World) -> None:
    world.trust()
    world.write("~/.gemini/GEMINI.md", "mine")
    world.path("GEMINI.md").symlink_to(world.path("~/.gemini/GEMINI.md"))
    assert [state for _, state in world.states("context-files")] == [ACTIVE, SHADOWED]


def test_the_last_package_with_a_skill_has_it(world: World) -> None:
    for name in ("a", "b"):
        world.write(f"{world.package(name)}/skills/review/SKILL.md", SKILL.format("review"))
    found = world.stand("skills").candidates
    assert [(each.found.package, each.state) for each in found] == [("b", ACTIVE), ("a", SHADOWED)]


def test_in_the_home_folder_everything_is_the_users(world: World) -> None:
    everything(world, "~/.gemini")
    world.places = world.places.replace(cwd=world.places.home)
    for kind in ("commands", "skills", "subagents", "policies"):
        assert [state for _, state in world.states(kind)] == [ACTIVE], kind

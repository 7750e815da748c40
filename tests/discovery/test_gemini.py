"""Gemini CLI: what it loads from the user, the project and enabled packages, in its own order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.discovery.capabilities import capability_named
from pisces.discovery.enablement import is_enabled
from pisces.discovery.registry import Discovered, Switches, discover
from pisces.places import Places

ONLY = Switches(only_harnesses=frozenset({"gemini"}))


class World:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.places = Places(str(root / "home"), str(root / "project"), {"REGION": "eu"})

    def write(self, path: str, text: str) -> None:
        base = self.root / "home" if path.startswith("~/") else self.root / "project"
        file = base / path.removeprefix("~/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def package(self, name: str, **manifest: object) -> None:
        value = {"name": name, "version": "1.0.0", **manifest}
        self.write(f"~/.gemini/extensions/{name}/gemini-extension.json", json.dumps(value))

    def find(self, kind: str) -> Discovered:
        return discover(capability_named(kind), self.places, ONLY)

    def names(self, kind: str) -> list[str]:
        return [str(each.item.name) for each in self.find(kind).items]


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "project").mkdir()
    made = World(tmp_path)
    made.write("~/.gemini/trustedFolders.json", json.dumps({str(tmp_path / "project"): "TRUST_FOLDER"}))
    return made


def skill(name: str, description: str = "does it") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\nbody"


def test_skills_of_the_workspace_win_and_the_agents_folder_before_its_own(world: World) -> None:
    for place in (".agents", ".gemini", "~/.agents", "~/.gemini"):
        world.write(f"{place}/skills/review/SKILL.md", skill("review", place))
    world.package("kit")
    world.write("~/.gemini/extensions/kit/skills/review/SKILL.md", skill("review", "package"))
    found = world.find("skills")
    assert [each.found.item.description for each in found.all] == [
        ".agents",
        ".gemini",
        "~/.agents",
        "~/.gemini",
        "package",
    ]
    assert len(found.items) == 1


def test_a_clash_of_commands_renames_both_sides(world: World) -> None:
    world.write("~/.gemini/trustedFolders.json", json.dumps({world.places.cwd: "TRUST_FOLDER"}))
    world.write("~/.gemini/commands/plan2.toml", 'prompt = "user"')
    world.write(".gemini/commands/plan2.toml", 'prompt = "project"')
    world.package("kit")
    world.write("~/.gemini/extensions/kit/commands/plan2.toml", 'prompt = "package"')
    world.write("~/.gemini/extensions/kit/commands/help.toml", 'prompt = "built in"')
    finals = [each.item.final_name for each in world.find("commands").items]
    assert finals == ["user.plan2", "workspace.plan2", "kit:help", "kit:plan2"]


def test_agents_of_the_project_come_before_those_of_the_user(world: World) -> None:
    agent = "---\nname: reader\ndescription: {}\n---\nprompt"
    world.write("~/.gemini/agents/reader.md", agent.format("user"))
    world.write(".gemini/agents/reader.md", agent.format("project"))
    assert [each.item.description for each in world.find("subagents").items] == ["project"]


def test_hooks_of_settings_with_comments_and_of_packages_all_count(world: World) -> None:
    definition = {"hooks": [{"type": "command", "command": "check"}]}
    world.write(".gemini/settings.json", "// mine\n" + json.dumps({"hooks": {"BeforeTool": [definition]}}))
    world.package("kit")
    inside = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "${extensionPath}/go"}]}]}}
    world.write("~/.gemini/extensions/kit/hooks/hooks.json", json.dumps(inside))
    hooks = [(each.item.event, each.item.command) for each in world.find("hooks").items]
    folder = world.root / "home" / ".gemini" / "extensions" / "kit"
    assert hooks == [("BeforeTool", "check"), ("SessionStart", f"{folder}/go")]


def test_servers_of_settings_win_over_those_of_packages_and_trust_is_dropped(world: World) -> None:
    """Variables stay as written: their values may be secrets, and listing is not running."""
    world.write(".gemini/settings.json", '{"mcpServers": {"docs": {"command": "mine"}}}')
    server = {"command": "theirs", "args": ["$REGION", "${UNKNOWN}", "${OTHER:-d}"], "trust": True}
    world.package("kit", mcpServers={"docs": server, "maps": server})
    found = world.find("mcp-servers").items
    assert [(each.item.name, each.item.launch) for each in found] == [
        ("docs", "mine $REGION ${UNKNOWN} d"),  # field by field: the entry does not say `args`
        ("maps", "theirs $REGION ${UNKNOWN} d"),
    ]
    assert "trust" not in found[1].item.config


def test_policies_have_the_priority_of_their_tier(world: World) -> None:
    rule = '[[rule]]\ntoolName = "write_file"\ndecision = "{}"\npriority = 100'
    world.write("~/.gemini/policies/a.toml", rule.format("allow"))
    world.write(".gemini/policies/b.toml", rule.format("allow"))
    world.package("kit")
    world.write("~/.gemini/extensions/kit/policies/c.toml", rule.format("deny"))
    world.write("~/.gemini/extensions/kit/policies/d.toml", rule.format("allow"))
    found = world.find("policies")
    assert [(each.item.decision, each.item.priority) for each in found.items] == [
        ("allow", 4.1),
        ("allow", 3.1),
        ("deny", 2.1),
    ]
    assert [each.code for each in found.diagnostics] == ["policy-too-much"]


def test_context_files_are_global_then_of_packages_then_of_the_project(world: World) -> None:
    world.write("~/.gemini/GEMINI.md", "global")
    world.write("GEMINI.md", "project")
    world.package("kit", contextFileName="KIT.md")
    world.write("~/.gemini/extensions/kit/KIT.md", "kit")
    assert [Path(each.item.path).name for each in world.find("context-files").items] == [
        "GEMINI.md",
        "KIT.md",
        "GEMINI.md",
    ]


def test_a_disabled_package_brings_nothing_and_says_so(world: World) -> None:
    world.package("kit")
    world.write("~/.gemini/extensions/kit/commands/go.toml", 'prompt = "go"')
    rules = {"kit": {"overrides": [f"!{world.places.cwd}/*"]}}
    world.write("~/.gemini/extensions/extension-enablement.json", json.dumps(rules))
    found = world.find("commands")
    assert found.items == ()
    assert [each.code for each in found.diagnostics] == ["package-disabled"]
    assert world.names("packages") == ["kit"]


@pytest.mark.parametrize("name", [3, ["kit"], True])
def test_a_package_whose_name_is_no_text_is_dropped(world: World, name: object) -> None:
    manifest = {"name": name, "version": "1.0.0"}
    world.write("~/.gemini/extensions/kit/gemini-extension.json", json.dumps(manifest))
    world.write("~/.gemini/extensions/kit/commands/go.toml", 'prompt = "go"')
    found = world.find("commands")
    assert found.items == ()
    (problem,) = found.diagnostics
    assert problem.code == "manifest-invalid"
    assert problem.message.startswith("`name` must be text")


def test_a_linked_package_is_read_where_it_is(world: World) -> None:
    world.write("elsewhere/gemini-extension.json", '{"name": "kit", "version": "1.0.0"}')
    world.write("elsewhere/commands/go.toml", 'prompt = "go"')
    metadata = {"source": str(world.root / "project" / "elsewhere"), "type": "link"}
    world.write("~/.gemini/extensions/kit/.gemini-extension-install.json", json.dumps(metadata))
    assert world.names("commands") == ["go"]


def test_packages_of_the_project_are_listed_but_gemini_loads_nothing_of_them(world: World) -> None:
    world.write(".gemini/extensions/kit/gemini-extension.json", '{"name": "kit", "version": "1.0.0"}')
    world.write(".gemini/extensions/kit/commands/go.toml", 'prompt = "go"')
    assert world.names("packages") == ["kit"]
    assert world.names("commands") == []


@pytest.mark.parametrize(
    ("rules", "folder", "enabled"),
    [
        ([], "/a/b", True),
        (["!/a/*"], "/a/b", False),
        (["!/a/*"], "/a", False),
        (["!/a/*"], "/ab", True),
        (["!/a/"], "/a/b", True),
        (["!/a/"], "/a", False),
        (["!/a/*", "/a/b/*"], "/a/b/c", True),
        (["/a/b/*", "!/a/*"], "/a/b/c", False),
        (["!/*"], "/srv", False),
        ([5, None, "!/a/*"], "/a", False),
        (["!/a/*/c/"], "/a/b/c", False),
        (["!/a/*/c/"], "/a/c", False),
        (["!/a/*/c/"], "/a/b/c/d", True),
        (["!/a/*/c/*"], "/a/b/c/d", False),
        (["!/a/pro*/"], "/a/project", False),
        (["!/a/*ject/"], "/a/project", False),
        (["!/a/pro*/"], "/a/other", True),
        (["!/a"], "/a", True),  # without the slash at its end it fits no folder, in Gemini CLI too
        (["!/a//"], "/a", True),
        (["!a/"], "/a", True),
        (["!*"], "/a", False),
        (["!/a/*", "/a"], "/a", False),
        (["!" + "*a" * 200 + "*b"], "/" + "a" * 2000, True),
    ],
)
def test_the_last_rule_that_matches_decides(rules: list[object], folder: str, enabled: bool) -> None:
    assert is_enabled({"overrides": rules}, Places("/home/me", folder)) is enabled


def test_themes_are_those_that_gemini_registers(world: World) -> None:
    names = ["Night", "   ", "x" * 50, "y" * 51, f"  {'z' * 50} ", "😀" * 26, ""]
    themes = [{"name": name, "type": "anything"} for name in names]
    world.package("kit", themes=[*themes, {}, {"name": 5}, {"name": "Odd", "text": {"primary": 5}}, "Night"])
    world.write("~/.gemini/settings.json", '{"ui": {"customThemes": {"Own": {}, "Bad": {"name": " "}}}}')
    assert world.names("themes") == [
        "Own",
        "Night (kit)",
        f"{'x' * 50} (kit)",
        f"  {'z' * 50}  (kit)",
        " (kit)",
        "undefined (kit)",
    ]
    found = [(each.code, each.severity) for each in world.find("themes").diagnostics]
    assert found.count(("theme-name", "error")) == 5
    assert found.count(("theme-name", "warning")) == 2
    assert found.count(("theme-broken", "error")) == 1


def test_an_entry_of_the_settings_is_laid_over_a_packages_server(world: World) -> None:
    base = {"command": "docs", "args": ["a"], "env": {"A": "1", "B": "1"}, "includeTools": ["x", "y"], "trust": True}
    world.package("kit", mcpServers={"docs": {**base, "excludeTools": ["p"]}, "other": {"command": "other"}})
    added = {"timeout": 5, "env": {"B": "2"}, "includeTools": ["y", "z"], "excludeTools": ["q", "p"], "trust": True}
    world.write("~/.gemini/settings.json", json.dumps({"mcpServers": {"docs": added, "other": {"command": "mine"}}}))
    found = world.find("mcp-servers")
    assert found.diagnostics == ()
    servers = {each.item.name: each for each in found.items}
    assert servers["docs"].package == "kit"
    assert servers["docs"].item.config == {
        "command": "docs",
        "args": ["a"],
        "env": {"A": "1", "B": "2"},
        "includeTools": ["y"],
        "excludeTools": ["p", "q"],
        "timeout": 5,
        "trust": True,
    }
    assert (servers["other"].item.command, servers["other"].package) == ("mine", "")


def test_an_entry_that_adds_to_nothing_is_an_error_and_hides_the_users(world: World) -> None:
    world.write(".gemini/settings.json", '{"mcpServers": {"docs": {"timeout": 5}}}')
    world.write("~/.gemini/settings.json", '{"mcpServers": {"docs": {"command": "docs"}}}')
    found = world.find("mcp-servers")
    assert [each.code for each in found.diagnostics] == ["mcp-server-entry"]
    assert found.items == ()

"""pi and oh-my-pi: project before user; modules, skills, prompts, themes and what stands before every prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.discovery.harness import Run, Where
from pisces.discovery.package_format import components, format_named, formats_of
from pisces.harnesses import omp, pi
from pisces.places import Places
from tests.discovery.world import World, skill, written


@pytest.fixture
def for_pi(tmp_path: Path) -> World:
    return World(tmp_path, pi.HARNESS)


@pytest.fixture
def for_omp(tmp_path: Path) -> World:
    return World(tmp_path, omp.HARNESS)


def test_pi_modules_are_typescript_and_javascript_only(for_pi: World) -> None:
    for name in ("a.ts", "b.js", "c.py", "d/index.ts", "e/index.py", ".hidden.ts"):
        for_pi.project(f".pi/extensions/{name}")
    for_pi.user(".pi/agent/extensions/own.ts")
    assert for_pi.names("modules") == ["a", "b", "d", "own"]


def test_pi_takes_an_extensions_folder_that_is_a_module_itself(for_pi: World) -> None:
    for_pi.project(".pi/extensions/index.ts")
    for_pi.project(".pi/extensions/part.ts")
    assert for_pi.paths("modules") == [".pi/extensions/index.ts"]


def test_pi_falls_back_to_the_index_and_omp_does_not(for_pi: World) -> None:
    for root in (".pi", ".omp"):
        for_pi.project(f"{root}/extensions/p/package.json", {"pi": {"extensions": ["gone.ts"]}})
        for_pi.project(f"{root}/extensions/p/index.ts")
    assert for_pi.names("modules") == ["p"]
    for_pi.harness = omp.HARNESS
    assert for_pi.names("modules") == []
    assert for_pi.codes("modules") == ["module-entry"]


def test_omp_prefers_its_own_key_even_when_it_lists_nothing(for_omp: World) -> None:
    for_omp.project(".omp/extensions/p/package.json", {"omp": {}, "pi": {"extensions": ["x.ts"]}})
    for_omp.project(".omp/extensions/p/x.ts")
    assert for_omp.names("modules") == []


def test_pi_skills_need_a_description_and_may_be_loose_files(for_pi: World) -> None:
    for_pi.project(".pi/skills/deep/er/a/SKILL.md", skill("a"))
    for_pi.project(".pi/skills/b.md", skill("b"))
    for_pi.project(".agents/skills/c/SKILL.md", "---\ndescription: Named by its folder\n---\n")
    for_pi.user(".pi/agent/skills/d/SKILL.md", "---\nname: d\n---\n")
    for_pi.user(".agents/skills/a/SKILL.md", skill("a"))
    assert sorted(for_pi.names("skills")) == ["a", "b", "c"]
    assert for_pi.codes("skills") == ["skill-incomplete"]


def test_prompts_are_commands_of_one_folder(for_pi: World) -> None:
    for_pi.project(".pi/prompts/fix.md", "Fix $1 please")
    for_pi.project(".pi/prompts/sub/no.md", "x")
    for_pi.user(".pi/agent/prompts/fix.md", "x")
    (found,) = for_pi.found("commands").items
    assert (found.item.final_name, found.item.description, found.item.dialect) == ("fix", "Fix $1 please", "pi")


def test_pi_reads_one_document_of_each_folder_from_the_top_down(for_pi: World) -> None:
    for path in ("AGENTS.md", "CLAUDE.md", "app/CLAUDE.md"):
        for_pi.project(path, "x")
    for_pi.user(".pi/agent/AGENTS.md", "x")
    for_pi.user(".pi/agent/SYSTEM.md", "x")
    for_pi.project("app/.pi/SYSTEM.md", "x")
    for_pi.user(".pi/agent/APPEND_SYSTEM.md", "x")
    for_pi.cwd = for_pi.repository / "app"
    paths = [path for path in for_pi.paths("context-files") if not path.startswith("/")]
    assert paths == [
        "app/.pi/SYSTEM.md",
        "~/.pi/agent/APPEND_SYSTEM.md",
        "~/.pi/agent/AGENTS.md",
        "AGENTS.md",
        "app/CLAUDE.md",
    ]


def test_themes_are_named_by_their_field(for_pi: World) -> None:
    for_pi.project(".pi/themes/x.json", {"name": "night"})
    for_pi.user(".pi/agent/themes/day.json", {})
    for_pi.user(".pi/agent/themes/bad.json", "{")
    assert for_pi.names("themes") == ["night", "day"]
    assert for_pi.problem("themes", "config-syntax").about == "bad"


def test_omp_reads_its_folders_project_first(for_omp: World) -> None:
    for_omp.project(".omp/commands/a.md", "A")
    for_omp.user(".omp/agent/prompts/b.md", "B")
    for_omp.user(".omp/agent/commands/a.md", "A")
    for_omp.project(".omp/mcp.json", {"mcpServers": {"m": {"command": "m"}}})
    for_omp.user(".omp/agent/config.yml", "extensions:\n  - ~/x.ts\n")
    for_omp.project(".omp/settings.json", {"extensions": []})
    for_omp.project(".omp/agents/r.md", "---\nname: r\ndescription: Reviews\n---\n")
    assert for_omp.names("commands") == ["a", "b"]
    assert for_omp.names("mcp-servers") == ["m"]
    assert for_omp.names("subagents") == ["r"]
    assert for_omp.paths("settings") == [".omp/settings.json", "~/.omp/agent/config.yml"]


def test_omp_skills_are_found_up_to_the_repository(for_omp: World) -> None:
    for_omp.project(".omp/skills/a/SKILL.md", skill("a"))
    for_omp.project("app/.omp/skills/b/SKILL.md", skill("b"))
    for_omp.cwd = for_omp.repository / "app"
    assert for_omp.names("skills") == ["b", "a"]


def test_omp_documents_come_from_the_nearest_folder_that_is_filled(for_omp: World) -> None:
    for_omp.project(".omp/AGENTS.md", "x")
    for_omp.project(".omp/SYSTEM.md", "x")
    for_omp.project("app/.omp/SYSTEM.md", "x")
    for_omp.project("app/.omp/rules/style.mdc", "x")
    for_omp.user(".omp/agent/AGENTS.md", "x")
    for_omp.cwd = for_omp.repository / "app"
    assert for_omp.paths("context-files") == [
        "app/.omp/SYSTEM.md",
        "~/.omp/agent/AGENTS.md",
        "app/.omp/rules/style.mdc",
    ]


def test_omp_hooks_are_files_named_for_their_tool(for_omp: World) -> None:
    for_omp.project(".omp/hooks/pre/bash.ts", "throw 1")
    for_omp.project(".omp/hooks/post/edit.sh", "exit 1")
    found = [(each.item.event, each.item.matcher, each.item.type) for each in for_omp.found("hooks").items]
    assert found == [("pre", "bash", "module"), ("post", "edit", "module")]


def test_a_variable_renames_the_folder_of_omp(for_omp: World) -> None:
    for_omp.env["PI_CONFIG_DIR"] = ".other"
    for_omp.user(".other/agent/extensions/a.ts")
    for_omp.user(".omp/agent/extensions/b.ts")
    assert for_omp.names("modules") == ["a"]


def test_only_a_package_json_with_a_key_of_pi_is_a_pi_package(tmp_path: Path) -> None:
    written(tmp_path / "package.json", {"name": "shop"})
    assert formats_of(str(tmp_path)) == []
    written(tmp_path / "package.json", {"name": "shop", "pi": {"skills": ["./abilities"]}})
    assert [each.id for each in formats_of(str(tmp_path))] == ["pi-package"]


def test_a_pi_package_brings_what_it_lists(tmp_path: Path) -> None:
    listed = {"extensions": ["./src/*.ts"], "skills": ["./abilities"], "prompts": ["./p/one.md"], "themes": ["./gone"]}
    written(tmp_path / "package.json", {"name": "kit", "pi": listed})
    written(tmp_path / "src/a.ts", "")
    written(tmp_path / "abilities/s/SKILL.md", skill("s"))
    written(tmp_path / "skills/unlisted/SKILL.md", skill("unlisted"))
    written(tmp_path / "p/one.md", "x")
    assert _brought(tmp_path, "modules") == ["a"]
    assert _brought(tmp_path, "skills") == ["s"]
    assert _brought(tmp_path, "commands") == ["one"]
    assert _brought(tmp_path, "themes") == ["pi-package-path"]


def test_what_an_omp_package_does_not_list_is_in_the_usual_folder(tmp_path: Path) -> None:
    written(tmp_path / "package.json", {"name": "kit", "omp": {"extensions": ["./main.ts"]}})
    written(tmp_path / "main.ts", "")
    written(tmp_path / "skills/s/SKILL.md", skill("s"))
    written(tmp_path / "commands/c.md", "x")
    assert _brought(tmp_path, "modules") == ["main"]
    assert _brought(tmp_path, "skills") == ["s"]
    assert _brought(tmp_path, "commands") == ["c"]


def _brought(folder: Path, capability: str) -> list[str]:
    """Names of what a package brings, or codes of what is wrong with it."""
    places = Places(str(folder), str(folder))
    package = format_named("pi-package").read(str(folder), places).package
    assert package is not None
    where = Where(places, Run(), capability, "pi-package", "pi package")
    return [each.item.name if hasattr(each, "item") else each.code for each in components(package, where)]

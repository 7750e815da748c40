"""A linked package is found where it really is, by every command, and so is everything below a moved home."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from pisces.harnesses.gemini.store.layout import gemini_store
from pisces.places import Places
from tests.test_bad_input import run
from tests.test_hostile_values import plant

MANIFEST = '{"name": "kit", "version": "2.0.0", "mcpServers": {"docs": {"command": "docs"}}}'
PACKAGE = {"commands/hi.toml": 'prompt = "hi"', "skills/s/SKILL.md": "---\nname: s\ndescription: d\n---\nbody\n"}


def linked(tmp_path: Path, store: str, note: str, manifest: str) -> tuple[Path, Path]:
    home, source = tmp_path / "home", tmp_path / "source"
    plant(source, {**PACKAGE, manifest: MANIFEST})
    plant(home, {f"{store}/kit/{note}": json.dumps({"source": str(source), "type": "link"})})
    plant(home, {".gemini/trustedFolders.json": json.dumps({str(home): "TRUST_FOLDER"})})
    return home, source


def asked(home: Path, *words: str) -> Any:
    done = run(home, home, *words, "--output-format", "json")
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


STORES = {
    "gemini": (".gemini/extensions", ".gemini-extension-install.json", "gemini-extension.json"),
    "qwen": (".qwen/extensions", ".qwen-extension-install.json", "qwen-extension.json"),
}


@pytest.mark.parametrize("harness", STORES)
def test_a_linked_package_is_found_by_every_command(harness: str, tmp_path: Path) -> None:
    home, source = linked(tmp_path, *STORES[harness])
    store = str(home / STORES[harness][0] / "kit")
    listed = asked(home, "list")["items"]
    found = {(item["kind"], item.get("name")): item for item in listed if item["source"]["provider"] == harness}
    assert found["packages", "kit"]["path"] == str(source)
    assert {("commands", "hi"), ("skills", "s"), ("mcp-servers", "docs")} <= set(found)
    assert [each["path"] for each in asked(home, "extensions", "list")["extensions"]] == [str(source)]
    assert [each["kind"] for each in asked(home, "why", "kit")["candidates"]] == ["packages"]
    assert "hi" in [each["name"].lstrip("/") for each in asked(home, "commands", "list")["commands"]]
    assert asked(home, "inspect", store)["path"] == str(source)
    assert [target["path"] for target in asked(home, "check", store)["targets"]] == [str(source)]
    assert asked(home, "scan", store)["files"] == 3
    doctor = next(each for each in asked(home, "doctor")["harnesses"] if each["id"] == harness)
    assert doctor["items"] >= 4


def test_a_linked_package_that_is_off_here_is_said_to_be_off(tmp_path: Path) -> None:
    home, _ = linked(tmp_path, *STORES["gemini"])
    plant(home, {".gemini/extensions/extension-enablement.json": '{"kit": {"overrides": ["!/*"]}}'})
    answer = asked(home, "extensions", "list", "--all")
    assert "package-disabled" in [each["code"] for each in answer["diagnostics"]]


def test_a_link_to_nothing_is_reported_and_takes_nobody_down(tmp_path: Path) -> None:
    home, source = linked(tmp_path, *STORES["gemini"])
    source.rename(tmp_path / "away")
    plant(home, {".gemini/extensions/good/gemini-extension.json": '{"name": "good", "version": "1.0.0"}'})
    answer = asked(home, "doctor")
    assert "manifest-missing" in [each["code"] for each in answer["diagnostics"]]
    assert [each["name"] for each in asked(home, "extensions", "list")["extensions"]] == ["good"]


def test_geminis_home_variable_moves_everything_of_gemini_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, moved, project = tmp_path / "home", tmp_path / "moved", tmp_path / "project"
    project.mkdir()
    skill = "---\nname: {0}\ndescription: d\n---\nbody\n"
    for folder, name in ((home, "old"), (moved, "new")):
        manifest = json.dumps({"name": f"{name}-kit", "version": "1.0.0"})
        plant(
            folder,
            {
                f".gemini/extensions/{name}-kit/gemini-extension.json": manifest,
                f".gemini/extensions/{name}-kit/commands/{name}-from-kit.toml": 'prompt = "x"',
                f".gemini/commands/{name}.toml": 'prompt = "x"',
                f".gemini/skills/{name}/SKILL.md": skill.format(name),
                f".agents/skills/{name}-shared/SKILL.md": skill.format(f"{name}-shared"),
                f".gemini/agents/{name}.md": skill.format(name),
                ".gemini/GEMINI.md": name,
                ".gemini/settings.json": json.dumps({"mcpServers": {f"{name}-server": {"command": "x"}}}),
                f".gemini/policies/{name}.toml": f'[[rule]]\ntoolName = "{name}"\ndecision = "deny"\npriority = 1\n',
                f".claude/commands/{name}-claude.md": "x",
            },
        )
    monkeypatch.setenv("GEMINI_CLI_HOME", str(moved))
    done = run(home, project, "list", "--all", "--output-format", "json")
    items = json.loads(done.stdout)["items"]
    paths = {item["source"]["path"] for item in items if item["source"]["provider"] == "gemini"}
    assert paths
    assert not [path for path in paths if not path.startswith(str(moved) + os.sep)]
    kinds = {item["kind"] for item in items if item["source"]["provider"] == "gemini"}
    assert kinds >= {
        "packages",
        "commands",
        "skills",
        "subagents",
        "mcp-servers",
        "policies",
        "context-files",
        "settings",
    }
    names = {item.get("name") for item in items}
    assert {"old-claude", "new-shared", "new-from-kit"} <= names
    assert "new-claude" not in names


def test_geminis_home_variable_moves_its_store() -> None:
    places = Places(os.sep + "home", os.sep + "work", {"GEMINI_CLI_HOME": os.path.join(os.sep, "moved")})
    assert gemini_store(places).folder == os.path.join(os.sep, "moved", ".gemini")
    relative = Places(os.sep + "home", os.sep + "work", {"GEMINI_CLI_HOME": "here"})
    assert gemini_store(relative).folder == os.path.join(os.sep, "work", "here", ".gemini")

"""What is read of a plugin for converting is what the real Claude Code loads of it, by its `init` event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pisces.converting.plugin import Plugin
from pisces.converting.reading import read_plugin
from tests.conformance.plugins.claude_view import ClaudeView, claude_view
from tests.converting.test_convert import places_of, put
from tests.peer_programs import CLAUDE

pytestmark = pytest.mark.skipif(CLAUDE is None, reason="Claude Code is not installed: scripts/setup-peers")


def text(name: str, more: str = "") -> str:
    return f"---\nname: {name}\ndescription: About {name}\n{more}---\nDo it.\n"


def both(folder: Path, files: dict[str, str], manifest: dict[str, Any] | None = None) -> tuple[Plugin, ClaudeView]:
    values = {"name": "demo", "version": "1.0.0", **(manifest or {})}
    root = put(folder / "demo", {".claude-plugin/plugin.json": json.dumps(values), **files})
    view = claude_view(root, folder / "scratch")
    assert view
    return read_plugin(str(root), places_of(folder)).plugin, view


def test_every_kind_of_file_is_read_by_the_name_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    plugin, view = both(
        tmp_path,
        {
            "agents/README.md": "No header",
            "agents/nest/a.md": text("Big Name"),
            "agents/one.md": text("twin"),
            "agents/two.md": text("twin"),
            "agents/odd.md": "---\nname: odd\ndescription: Use when: x\n---\nx",
            "commands/README.md": "x",
            "commands/sub/c.md": text("other"),
            "commands/kit/SKILL.md": text("k"),
            "commands/kit/paper.md": "x",
            "commands/bad.md": "---\na: [\n---\nx",
            "skills/folder/SKILL.md": text("header"),
            "skills/misspelt/SKILL.md": text("m", "user-invokable: false\n"),
            "skills/only-model/SKILL.md": text("o", "user-invocable: false\n"),
            "skills/only-user/SKILL.md": text("u", "disable-model-invocation: true\n"),
            "skills/low/skill.md": text("low"),
            "more/listed/SKILL.md": text("l"),
            "SKILL.md": text("root"),
        },
        {"skills": ["./more", "./skills/folder"]},
    )
    assert {":".join((*each.folders, each.name)) for each in plugin.agents} == view.agents
    typed = {each.name for each in plugin.skills if each.by_user} | {each.name for each in plugin.commands}
    assert typed == view.skills | view.commands


def test_a_skill_file_among_commands_hides_the_others_there(tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    plugin, view = both(tmp_path, {"commands/skill.md": "x", "commands/a.md": "a", "commands/b/c.md": "c"})
    assert {each.name for each in (*plugin.skills, *plugin.commands)} == view.skills | view.commands == {"commands"}


@pytest.mark.parametrize("manifest", [{"agents": "./agents/"}, {"author": "Me"}, {"commands": ["x"]}])
def test_a_manifest_is_refused_where_claude_code_refuses_it(tmp_path: Path, manifest: dict[str, Any]) -> None:
    (tmp_path / "scratch").mkdir()
    plugin, view = both(tmp_path, {"skills/a/SKILL.md": text("a")}, manifest)
    assert view.is_rejected
    assert plugin.refused

"""What a first request weighs: the system prompt and the tools, with and without packages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.agent_world import AgentWorld
from tests.models.recorder import Recorder

PACKAGES = 20
ABOUT = "Example skill number {0} that formats reports of kind {0} when the user asks for one."


def _install(home: Path, number: int) -> None:
    folder = home / ".gemini" / "extensions" / f"ext-{number:02}"
    skill = folder / "skills" / f"skill-{number:02}"
    skill.mkdir(parents=True)
    (folder / "commands").mkdir()
    manifest = {"name": folder.name, "version": "1.0.0", "contextFileName": "GEMINI.md"}
    (folder / "gemini-extension.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "GEMINI.md").write_text(f"Rule {number}: be brief.\n", encoding="utf-8")
    (folder / "commands" / f"cmd{number}.toml").write_text('prompt = "p {{args}}"\n', encoding="utf-8")
    header = f"---\nname: {skill.name}\ndescription: {ABOUT.format(number)}\n---\n"
    (skill / "SKILL.md").write_text(f"{header}# Skill\n", encoding="utf-8")


def test_a_first_request_is_small_and_packages_add_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Recorder() as model:
        world = AgentWorld(tmp_path, monkeypatch, model)
        assert world.run("-p", "hi") == 0
        for number in range(PACKAGES):
            _install(world.home, number)
        assert world.run("-p", "hi") == 0
    bare, full = (len(json.dumps(each, separators=(",", ":")).encode()) for each in world.asked)
    assert "skill-07" in json.dumps(world.asked[1])
    assert bare <= 8 * 1024
    assert full - bare <= 3 * 1024

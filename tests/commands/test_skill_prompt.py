"""The body of a skill that is activated is expanded where its harness takes skills for commands."""

from __future__ import annotations

from pathlib import Path

import pytest

import pisces
from pisces.commands.prompts.skill_prompt import expanded_skill
from pisces.diagnostics import PiscesError
from pisces.instructions.activated_skill import ActivatedSkill, activated_skill
from pisces.instructions.skills import skill_index
from pisces.places import Places
from pisces.shapes.request import Request
from pisces.shapes.verdict import Judged, Verdict
from tests.discovery.world import written

BODY = "Run ${CLAUDE_SKILL_DIR}/a.py on $ARGUMENTS"


def skill_in(home: Path, folder: str, body: str) -> ActivatedSkill:
    written(home / folder / "skills/alpha/SKILL.md", f"---\nname: alpha\ndescription: d\n---\n{body}\n")
    return activated_skill(skill_index(Places(str(home), str(home / "work"))), "alpha")


def refused(request: Request) -> Judged:
    return Judged(request, Verdict.deny("no lines here"))


def expanded(skill: ActivatedSkill, args: str, home: Path) -> str:
    return expanded_skill(skill, args, Places(str(home), str(home / "work")), refused).strip()


def test_placeholders_are_filled(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, ".claude", BODY)
    assert expanded(skill, "this", tmp_path) == f"Run {skill.folder}/a.py on this"


def test_arguments_without_a_place_come_behind(tmp_path: Path) -> None:
    assert expanded(skill_in(tmp_path, ".claude", "Do it"), "now", tmp_path) == "Do it\n\n\nARGUMENTS: now"


def test_lines_pass_the_gates(tmp_path: Path) -> None:
    with pytest.raises(PiscesError, match="no lines here"):
        expanded(skill_in(tmp_path, ".claude", "Today is !`date`"), "", tmp_path)


def test_other_harnesses_give_the_text_as_it_is(tmp_path: Path) -> None:
    skill = skill_in(tmp_path, ".gemini", f"{BODY} !`date`")
    assert expanded(skill, "this", tmp_path) == f"{BODY} !`date`\n\nARGUMENTS: this"


def test_a_plugin_in_our_own_store_keeps_the_rules_that_it_was_written_by(tmp_path: Path) -> None:
    places = Places(str(tmp_path / "home"), str(tmp_path / "work"), {})
    written(tmp_path / "plug/.claude-plugin/plugin.json", {"name": "plug", "version": "1.0.0"})
    written(tmp_path / "plug/skills/alpha/SKILL.md", f"---\nname: alpha\ndescription: d\n---\n{BODY}\n")
    (tmp_path / "work").mkdir()
    assert pisces.install(str(tmp_path / "plug"), places, lambda *_: Verdict.allow()).changed
    index = skill_index(places)
    (name,) = index.names
    skill = activated_skill(index, name)
    assert expanded_skill(skill, "this", places, refused).strip() == f"Run {skill.folder}/a.py on this"

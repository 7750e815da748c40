"""AGENTS.md and the shared folders that belong to no single harness."""

from __future__ import annotations

from pathlib import Path

from pisces.discovery.capabilities import COMMANDS, CONTEXT_FILES, SKILLS
from pisces.discovery.capability import Capability
from pisces.discovery.registry import Discovered, discover
from pisces.harnesses.agents_md import HARNESS
from pisces.places import Places

SKILL = "---\nname: {name}\ndescription: Does it\n---\n"


def _put(folder: Path, *files: str, text: str = "text") -> None:
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")


def _found(capability: Capability, folder: Path, cwd: str = "work") -> Discovered:
    return discover(capability, Places(str(folder / "home"), str(folder / cwd)), harnesses=[HARNESS])


def _paths(found: Discovered, folder: Path) -> list[str]:
    return [Path(each.item.path).relative_to(folder).as_posix() for each in found.items]


def test_context_files_are_found_up_to_the_repository_root_nearest_first(tmp_path: Path) -> None:
    _put(tmp_path, "AGENTS.md", "work/.git/HEAD", "work/AGENTS.md", "work/CLAUDE.md", "work/app/AGENTS.md")
    found = _found(CONTEXT_FILES, tmp_path, "work/app")
    assert _paths(found, tmp_path) == ["work/app/AGENTS.md", "work/AGENTS.md", "work/CLAUDE.md"]
    assert [each.item.scope for each in found.items] == ["project", "..", ".."]


def test_the_users_own_file_comes_last(tmp_path: Path) -> None:
    _put(tmp_path, "home/.agents/AGENTS.md", "work/.git/HEAD", "work/.agents/AGENTS.md")
    found = _found(CONTEXT_FILES, tmp_path)
    assert _paths(found, tmp_path) == ["work/.agents/AGENTS.md", "home/.agents/AGENTS.md"]
    assert [each.source.level for each in found.items] == ["project", "user"]


def test_a_folder_named_agents_md_is_no_context_file(tmp_path: Path) -> None:
    (tmp_path / "work/AGENTS.md").mkdir(parents=True)
    assert not _found(CONTEXT_FILES, tmp_path).items


def test_skills_of_the_project_come_before_the_users(tmp_path: Path) -> None:
    _put(tmp_path, "home/.agents/skills/a/SKILL.md", "work/.agents/skills/a/SKILL.md", text=SKILL.format(name="a"))
    _put(tmp_path, "home/.agent/skills/b/SKILL.md", text=SKILL.format(name="b"))
    _put(tmp_path, "work/.git/HEAD")
    assert _paths(_found(SKILLS, tmp_path), tmp_path) == [
        "work/.agents/skills/a/SKILL.md",
        "home/.agent/skills/b/SKILL.md",
    ]


def test_a_skill_without_a_description_is_left_out_at_its_header(tmp_path: Path) -> None:
    _put(tmp_path, "work/.agents/skills/a/SKILL.md", text="---\nname: a\n---\n")
    found = _found(SKILLS, tmp_path)
    assert not found.items
    (problem,) = found.diagnostics
    assert (problem.code, problem.line, problem.about) == ("skill-incomplete", 2, "a")


def test_shared_commands_are_found(tmp_path: Path) -> None:
    _put(tmp_path, "work/.agents/commands/fix.md", "home/.agents/commands/fix.md", "work/.git/HEAD")
    found = _found(COMMANDS, tmp_path)
    assert _paths(found, tmp_path) == ["work/.agents/commands/fix.md"]
    assert len(found.all) == 2

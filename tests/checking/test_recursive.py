"""`check --recursive`: packages at any depth, packages in packages, files that are known by their names."""

from __future__ import annotations

from pathlib import Path

from pisces.checking.acceptance import acceptances
from pisces.checking.check import Scope, check
from pisces.discovery.package_roots import EVERYWHERE, package_roots
from pisces.files import MOST_FOLDERS
from pisces.places import Places
from tests.checking.planting import plant
from tests.checking.test_targets import below, targets
from tests.checking.trees import SKILL, Tree, claude, gemini


def everywhere(folder: Path, tree: Tree) -> list[tuple[str, str, tuple[str, ...]]]:
    plant(folder / "project", tree)
    places = Places(str(folder / "home"), str(folder / "project"))
    return targets(check([], places, Scope(acceptances(), reach=EVERYWHERE)))


def test_packages_are_found_at_any_depth(tmp_path: Path) -> None:
    found = everywhere(tmp_path, below("a/b/c/d/e", gemini()))
    assert ("package", "e", ("gemini",)) in found


def test_packages_in_packages_are_found(tmp_path: Path) -> None:
    tree = {**gemini(name="project"), **below("packages/inner", claude(name="inner"))}
    assert everywhere(tmp_path, tree) == [
        ("package", "project", ("gemini",)),
        ("package", "inner", ("claude-plugin",)),
    ]


def test_the_skills_of_a_package_are_no_packages_of_their_own(tmp_path: Path) -> None:
    tree = claude({"skills/review/SKILL.md": SKILL, "skills/review/skills/inner/SKILL.md": SKILL}, name="project")
    assert everywhere(tmp_path, tree) == [("package", "project", ("claude-plugin",))]


def test_dependencies_and_hidden_folders_are_not_entered(tmp_path: Path) -> None:
    tree = {**below("a/node_modules/x", gemini()), **below(".git/y", gemini()), **below("z", gemini())}
    assert [name for _, name, _ in everywhere(tmp_path, tree)] == ["z"]


def test_files_known_by_their_names_are_checked_alone(tmp_path: Path) -> None:
    agent = "---\ndescription: Reviews\n---\nReview"
    found = everywhere(tmp_path, {"deep/er/reviewer.agent.md": agent, "notes.md": "x"})
    assert ("file", "reviewer.agent.md", ()) in found
    assert all(name != "notes.md" for _, name, _ in found)


def test_links_in_circles_end(tmp_path: Path) -> None:
    plant(tmp_path, below("box", gemini()))
    (tmp_path / "box" / "again").symlink_to(tmp_path)
    roots = [Path(root.folder).name for root in package_roots(str(tmp_path), EVERYWHERE)]
    assert roots == ["box"]


def test_collections_may_hide_their_skills(tmp_path: Path) -> None:
    found = everywhere(tmp_path, {"skills/.curated/review/SKILL.md": SKILL})
    assert ("package", ".curated", ("skills-folder",)) in found


def test_a_folder_that_is_not_read_to_its_end_is_said(tmp_path: Path) -> None:
    for number in range(MOST_FOLDERS):
        (tmp_path / f"project/deep/{number}").mkdir(parents=True)
    places = Places(str(tmp_path / "home"), str(tmp_path / "project"))
    told = check([], places, Scope({}, reach=EVERYWHERE)).diagnostics
    assert [(each.code, each.path) for each in told] == [("folders-left", places.cwd)]
    for number in range(2):
        (tmp_path / f"project/deep/{number}").rmdir()
    assert check([], places, Scope({}, reach=EVERYWHERE)).diagnostics == ()

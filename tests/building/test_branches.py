"""A package on a branch of its own: with git's plumbing, and nothing else of the repository moves."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from tests.building.repository import SKILL, Author, tree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")


@pytest.fixture
def released(author: Author) -> Author:
    author.committed()
    return author


def test_the_package_is_the_root_of_the_branch(released: Author) -> None:
    status, said = released.pisces("build", "--branch", "dist/gemini")
    assert status == 0, said
    listed = released.git("ls-tree", "-r", "--name-only", "dist/gemini").split()
    assert listed == [
        ".gitattributes",
        ".pisces/origin.json",
        "commands/demo/save.toml",
        "gemini-extension.json",
        "package.json",
        "skills/notes/SKILL.md",
    ]
    assert json.loads(released.git("show", "dist/gemini:gemini-extension.json"))["version"] == "1.3.0"


def _state(author: Author) -> object:
    status = author.git("status", "--porcelain")
    return tree(author.folder / "skills"), status, (author.folder / ".git/index").read_bytes()


def test_nothing_else_of_the_repository_moves(released: Author) -> None:
    released.put({"skills/notes/SKILL.md": SKILL + "Changed.\n", "new.txt": "new"})
    released.git("add", "new.txt")
    before, head = _state(released), released.git("rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
    released.pisces("build", "--branch", "dist")
    assert _state(released) == before
    assert released.git("rev-parse", "HEAD", "--symbolic-full-name", "HEAD") == head


def test_the_old_tip_is_the_parent_and_no_change_is_no_commit(released: Author) -> None:
    first = released.json("build", "--branch", "dist")["branches"][0]
    again = released.json("build", "--branch", "dist")["branches"][0]
    assert (again["commit"], again["new"]) == (first["commit"], False)
    released.put({"skills/notes/SKILL.md": SKILL + "More.\n"})
    second = released.json("build", "--branch", "dist")["branches"][0]
    assert released.git("rev-parse", f"{second['commit']}^").strip() == first["commit"]
    assert released.git("rev-parse", "dist").strip() == second["commit"]


@pytest.mark.skipif(os.name == "nt", reason="hooks of POSIX")
def test_no_hook_and_no_filter_of_the_repository_runs(released: Author) -> None:
    mark = released.folder.parent / "ran"
    hooks = released.folder / ".git/hooks"
    for name in ("reference-transaction", "post-commit", "pre-commit", "commit-msg", "post-index-change", "update"):
        path = hooks / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch {mark}\n")
        path.chmod(0o755)
    released.git("config", "filter.x.clean", f"touch {mark}; cat")
    released.git("config", "core.fsmonitor", f"touch {mark}")
    (released.folder / ".git/info/attributes").write_text("* filter=x\n")
    assert released.pisces("build", "--branch", "dist")[0] == 0
    assert not mark.exists()


@pytest.mark.parametrize(
    ("branch", "code"),
    [
        ("main", "build-branch-in-use"),
        ("a..b", "build-branch-name"),
        ("-x", "build-branch-name"),
        ("x.lock", "build-branch-name"),
        ("work", "build-branch-not-ours"),
    ],
)
def test_other_branches_are_left_alone(released: Author, branch: str, code: str) -> None:
    released.git("branch", "work")
    refs = released.git("for-each-ref")
    status, said = released.pisces("build", f"--branch={branch}")
    assert (status, code in said) == (1, True)
    assert released.git("for-each-ref") == refs


def test_a_branch_that_another_working_tree_has_is_in_use(released: Author) -> None:
    released.pisces("build", "--branch", "dist")
    released.git("worktree", "add", "--quiet", "../other", "dist")
    released.put({"skills/notes/SKILL.md": SKILL + "More.\n"})
    status, said = released.pisces("build", "--branch", "dist")
    assert (status, "build-branch-in-use" in said) == (1, True)


def test_outside_of_a_repository_git_says_so(author: Author) -> None:
    status, said = author.pisces("build", "--branch", "dist")
    assert (status, "build-git" in said, "git init" in said) == (1, True, True)


def test_the_branch_installs(released: Author) -> None:
    released.pisces("build", "--branch", "dist")
    assert "1.3.0" in released.installed(f"git+file://{released.folder}", "--ref", "dist")


def test_the_same_source_gives_the_same_commit(released: Author) -> None:
    one = released.json("build", "--branch", "one")["branches"][0]["commit"]
    two = released.json("build", "--branch", "two")["branches"][0]["commit"]
    assert one == two

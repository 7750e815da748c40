"""Linked worktrees of git: `.git` is a file there, and the repository it names lists the checkout. Git is not asked."""

from __future__ import annotations

import os

from pisces.files import Unreadable, read_text


def is_repository(folder: str) -> bool:
    """Whether a folder has a `.git` that git has made: a file, or a folder with a HEAD."""
    inside = os.path.join(folder, ".git")
    return os.path.isfile(inside) or os.path.lexists(os.path.join(inside, "HEAD"))


def main_checkout(folder: str) -> str:
    """The checkout whose repository lists this folder as a worktree; empty where there is none.

    The repository has to name the folder as well: a file in a clone cannot make it part of another repository.
    """
    inside = os.path.join(folder, ".git")
    if os.path.islink(inside) or not os.path.isfile(inside):
        return ""
    try:
        git = os.path.join(folder, read_text(inside).removeprefix("gitdir:").strip())
        back = os.path.join(git, read_text(os.path.join(git, "gitdir")).strip())
        common = os.path.join(git, read_text(os.path.join(git, "commondir")).strip())
    except Unreadable:
        return ""
    worktrees, shared = os.path.dirname(os.path.realpath(git)), os.path.realpath(common)
    listed = os.path.basename(worktrees) == "worktrees" and os.path.dirname(worktrees) == shared
    main = os.path.dirname(os.path.dirname(os.path.dirname(os.path.normpath(git))))
    owns = os.path.realpath(os.path.join(main, ".git")) == shared
    same = os.path.basename(back) == ".git" and os.path.realpath(os.path.dirname(back)) == os.path.realpath(folder)
    return main if listed and owns and same else ""

"""The commit that a folder was checked out at, read from git's own files: nothing is started for it."""

from __future__ import annotations

import os
import re

from pisces.files import Unreadable, read_text

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = re.compile(r"ref: (refs/[\w./@+-]+)")


def commit_of(folder: str) -> str:
    """Empty where the folder is in no repository."""
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above
    return _head(os.path.join(folder, ".git"))


def _head(git: str) -> str:
    try:
        if os.path.isfile(git):  # a work tree of its own
            git = os.path.join(os.path.dirname(git), read_text(git).strip().removeprefix("gitdir: "))
        head = read_text(os.path.join(git, "HEAD")).strip()
        named = _REF.fullmatch(head)
        if not named:
            return head if _COMMIT.fullmatch(head) else ""
        return _ref(git, named[1])
    except Unreadable:
        return ""


def _ref(git: str, name: str) -> str:
    if ".." in name.split("/"):
        return ""
    try:
        common = os.path.join(git, read_text(os.path.join(git, "commondir")).strip())
    except Unreadable:
        common = git
    for folder in (git, common):
        try:
            found = read_text(os.path.join(folder, *name.split("/"))).strip()
        except Unreadable:
            continue
        return found if _COMMIT.fullmatch(found) else ""
    try:
        packed = read_text(os.path.join(common, "packed-refs"))
    except Unreadable:
        return ""
    found = next((line for line in packed.splitlines() if line.endswith(f" {name}")), "").partition(" ")[0]
    return found if _COMMIT.fullmatch(found) else ""

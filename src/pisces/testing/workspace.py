"""A home and a workspace of their own for one test, written from a mapping of paths to contents.

    {"home/.claude/settings.json": {"permissions": {"deny": ["Bash(rm:*)"]}}, "work/CLAUDE.md": "Use metres."}

Nothing of the user who runs the test is read: neither the home, nor the environment, nor folders above.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from pisces.places import Places
from pisces.value import EMPTY

Content: TypeAlias = "str | bytes | Mapping[str, Any] | list[Any]"
# `Any` for contents, because a type checker makes `Collection[str]` of a mapping that has texts and dicts in it.
Files: TypeAlias = "Mapping[str, Any] | str | os.PathLike[str] | Places"

HOME, WORK = "home", "work"
_PASSED_ON = ("PATH", "SYSTEMROOT", "LANG", "LC_ALL")  # what programs need to start at all


@contextmanager
def workspace(files: Files = EMPTY, env: Mapping[str, str] | None = None) -> Iterator[Places]:
    """`files` below `home/` and `work/`, or a folder that has these two, which is copied. Removed at the end.
    Places are taken as they are: those of another host under test, for a second session there.

    The workspace is below the home, as people have it, and is a repository, so that no search goes further up.
    """
    if isinstance(files, Places):
        yield files
        return
    with tempfile.TemporaryDirectory(prefix="pisces-test-", ignore_cleanup_errors=True) as folder:
        top = os.path.realpath(folder)
        home, work = os.path.join(top, HOME), os.path.join(top, HOME, WORK)
        os.makedirs(os.path.join(work, ".git"))
        _fill(files, home)
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        yield Places(home, work, {**passed_on, "HOME": home, "USERPROFILE": home, **(env or {})})


def _fill(files: Mapping[str, Any] | str | os.PathLike[str], home: str) -> None:
    if not isinstance(files, str | os.PathLike):
        for path, content in files.items():
            write(path, content, home)
        return
    for name, target in ((HOME, home), (WORK, os.path.join(home, WORK))):
        if os.path.isdir(os.path.join(files, name)):
            shutil.copytree(os.path.join(files, name), target, symlinks=True, dirs_exist_ok=True)


def write(path: str, content: Content, home: str) -> str:
    """One file; a mapping or a list is written as JSON, and a script with a `#!` line can be run. Returns where."""
    parts = path.replace("\\", "/").split("/")
    if parts[0] not in (HOME, WORK) or len(parts) < 2 or not {"", ".", ".."}.isdisjoint(parts):
        raise ValueError(f"`{path}` is neither below `home/` nor below `work/`")
    target = os.path.join(home, *(parts[1:] if parts[0] == HOME else parts))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    data = _bytes(content)
    with open(target, "wb") as file:
        file.write(data)
    if data.startswith(b"#!"):
        os.chmod(target, 0o755)
    return target


def _bytes(content: Content) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content, indent=2)).encode()

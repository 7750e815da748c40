"""What a scan knows of each harness: files that an agent follows, that grant permissions or start programs, and tricks.

`harnesses/<id>/scanning.py` exports `SCANNING`; folders and the names of context files are facts of the harness itself.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called
from pisces.discovery.harness import HARNESSES, all_harnesses
from pisces.files import Unreadable, read_text
from pisces.formats import jsonc
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Scanning(Value):
    """`grants` and `hooks` are paths of settings below a project that hold permissions, or hooks that run there.

    `context_manifests` name context files under `contextFileName`; `toml_configs` are TOML files with servers or hooks.
    `credentials` are paths below home. `approval_off` are regular expressions for text that switches approvals off,
    each with a word in lower case that such text has.
    """

    grants: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    context_manifests: tuple[str, ...] = ()
    toml_configs: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    approval_off: tuple[tuple[str, str], ...] = ()


class KnownFiles(Value):
    """`context_names` are in lower case; `context_paths` are those that the manifests of the scanned folder name.

    `grants` and `hooks` begin with `/`, for a comparison with the end of a path.
    """

    context_names: frozenset[str]
    context_paths: frozenset[str]
    grants: tuple[str, ...]
    hooks: tuple[str, ...]
    toml_configs: frozenset[str]


def known_files(root: str) -> KnownFiles:
    every = all_scanning()
    return KnownFiles(
        frozenset(name.lower() for harness in all_harnesses() for name in harness.context_names),
        frozenset(path for each in every for name in each.context_manifests for path in _context_paths(root, name)),
        tuple(f"/{path}" for each in every for path in each.grants),
        tuple(f"/{path}" for each in every for path in each.hooks),
        frozenset(name for each in every for name in each.toml_configs),
    )


def all_scanning() -> list[Scanning]:
    return [export_of(folder, "scanning", "SCANNING") for folder in files_called(HARNESSES, "scanning")]


def harness_folders() -> tuple[str, ...]:
    """The folders in which harnesses have settings, below home or a project: `.gemini`, `.config/opencode` ..."""
    found: set[str] = set()
    for harness in all_harnesses():
        own = harness.user_dir.removeprefix("~/")
        if own.startswith("."):
            found.add(own)
        if own.startswith(harness.project_dir) and len(harness.project_dir) > 1:
            found.add(harness.project_dir)
    return tuple(sorted(found))


def _context_paths(root: str, manifest: str) -> Iterator[str]:
    try:
        value = jsonc.parse_lenient(read_text(os.path.join(root, manifest)))
    except (Unreadable, Malformed, RecursionError):
        return
    names = value.get("contextFileName") if isinstance(value, dict) else None
    for each in names if isinstance(names, list) else [names]:
        if isinstance(each, str):
            yield os.path.normpath(each).replace(os.sep, "/")

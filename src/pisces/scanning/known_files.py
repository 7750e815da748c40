"""Files that harnesses know by name: what an agent follows, what grants permissions, what starts programs.

`harnesses/<id>/scanning.py` exports `SCANNING`; the names of context files are facts of the harness itself.
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
    """

    grants: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    context_manifests: tuple[str, ...] = ()
    toml_configs: tuple[str, ...] = ()


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
    every: list[Scanning] = [
        export_of(folder, "scanning", "SCANNING") for folder in files_called(HARNESSES, "scanning")
    ]
    return KnownFiles(
        frozenset(name.lower() for harness in all_harnesses() for name in harness.context_names),
        frozenset(path for each in every for name in each.context_manifests for path in _context_paths(root, name)),
        tuple(f"/{path}" for each in every for path in each.grants),
        tuple(f"/{path}" for each in every for path in each.hooks),
        frozenset(name for each in every for name in each.toml_configs),
    )


def _context_paths(root: str, manifest: str) -> Iterator[str]:
    try:
        value = jsonc.parse_lenient(read_text(os.path.join(root, manifest)))
    except (Unreadable, Malformed, RecursionError):
        return
    names = value.get("contextFileName") if isinstance(value, dict) else None
    for each in names if isinstance(names, list) else [names]:
        if isinstance(each, str):
            yield os.path.normpath(each).replace(os.sep, "/")

"""What a target is: one function from a plugin to files and fates. It reads and writes nothing.

A harness that can be converted to has a `writing` file or folder that exports `WRITER`.
"""

from __future__ import annotations

from pisces.by_name import export_of, files_called, folders_with
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin

HARNESSES = "pisces.harnesses"


class OutputFile(Value):
    """`path` is relative to the output, with slashes. Without `data` it is a copy of `source` in the package."""

    path: str
    data: bytes | None = None
    source: str = ""
    is_executable: bool = False


class WriteOptions(Value):
    """`root` is empty for a package; where files are put into a user's own folders, it is where the package's are, and
    `home` is the folder that has the user's skills, agents and commands.

    `widen`: a subagent whose tools cannot all be said gets no list, which means all. `without_hooks`: hooks are only
    reported. `skipped_skills` are names of skills that the target does not get.
    """

    widen: bool = False
    without_hooks: bool = False
    without_prefix: bool = False
    skipped_skills: tuple[str, ...] = ()
    root: str = ""
    home: str = ""


class Written(Value):
    """In the order of paths. No two files have one path.

    `servers` are MCP servers by name, for the user's settings: only where `WriteOptions.root` is set.
    """

    files: tuple[OutputFile, ...]
    fates: tuple[Fate, ...]
    servers: Mapping[str, Any] = EMPTY


class Writer(Value):
    """`id` is what users name it by: `--to ID`. `format` is the package format that it writes.

    `parts` write one kind of component each, for a format that has a place for the components of this one.
    """

    id: str
    label: str
    format: str
    write: Callable[[Plugin, WriteOptions], Written]
    parts: Mapping[str, Callable[[Plugin, WriteOptions], Written]] = EMPTY


def all_writers() -> list[Writer]:
    return sorted(map(_writer_in, _packages()), key=lambda each: each.id)


def writer_named(name: str) -> Writer | None:
    """A writer is mostly called as its harness: the others are imported only where none of that name is right."""
    folder = f"{HARNESSES}.{name.replace('-', '_')}"
    packages = sorted(_packages(), key=lambda each: not each.startswith(folder))
    return next((each for each in map(_writer_in, packages) if each.id == name), None)


def _packages() -> list[str]:
    folders = (each.rpartition(".")[0] for each in folders_with(HARNESSES, "writing"))
    return sorted({*files_called(HARNESSES, "writing"), *folders})


def _writer_in(package: str) -> Writer:
    found: Writer = export_of(package, "writing", "WRITER")
    return found

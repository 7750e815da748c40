"""What is in a folder, one name a line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.formats.visible import visible
from pisces.tools.named_path import failed, path_of
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_MOST_ENTRIES = 1000


def list_folder(bench: Workbench, given: Mapping[str, Any]) -> dict[str, Any]:
    named = given.get("path") or "."
    return folder_listing(path_of(bench, named), named)


def folder_listing(path: str, given: str) -> dict[str, Any]:
    """Folders end with `/`, links with `@`. Raises `ToolFailed`."""
    try:
        with os.scandir(path) as entries:
            names = sorted(_marked(each) for each in entries)
    except (OSError, ValueError) as error:
        raise failed(given, error, path) from None
    shown = names[:_MOST_ENTRIES]
    cut = len(names) - len(shown)
    lines = [*shown, *([f"[{cut} more entries: use `glob` for some of them]"] if cut else [])]
    return text_result("\n".join(lines) or "[the folder is empty]", path=path, entries=len(names), cut=cut)


def _marked(entry: os.DirEntry[str]) -> str:
    if entry.is_symlink():
        return f"{visible(entry.name)}@"
    return f"{visible(entry.name)}/" if entry.is_dir() else visible(entry.name)

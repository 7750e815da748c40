"""What `glob` returns: files by name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.formats.visible import visible
from pisces.shapes.tool import ToolFailed
from pisces.tools.named_path import failed, path_of
from pisces.tools.walking import Files, NamePattern, NoPattern
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_MOST_FILES = 500
_SECONDS = 15.0


def find(bench: Workbench, given: Mapping[str, Any]) -> dict[str, Any]:
    named = given.get("path") or "."
    folder = path_of(bench, named)
    if "\0" in folder or not os.path.isdir(folder):
        raise failed(named, NotADirectoryError(20, "there is no such folder"), folder)
    try:
        pattern = NamePattern(given["pattern"])
    except NoPattern as error:
        raise ToolFailed(str(error)) from None
    walk = Files(folder, _SECONDS)
    found: list[str] = []
    for _, names, _ in walk:
        if pattern.fits(names):
            found.append(shown_path(named, names))
            if len(found) > _MOST_FILES:
                break
    cut = "[time ran out]" if walk.is_cut else f"[more than {_MOST_FILES} files]" if found[_MOST_FILES:] else ""
    lines = [*found[:_MOST_FILES], *([f"{cut[:-1]}: use a narrower pattern or `path`]"] if cut else [])]
    text = "\n".join(lines) or "no files: those that `.gitignore` leaves out are not searched"
    return text_result(text, path=folder, files=len(found[:_MOST_FILES]), cut=cut)


def shown_path(named: str, names: list[bytes]) -> str:
    """A path that the model can use, relative as the one that it gave."""
    below = "/".join(visible(os.fsdecode(each)) for each in names)
    return below if named in (".", "./") else f"{named.rstrip('/')}/{below}" if below else named

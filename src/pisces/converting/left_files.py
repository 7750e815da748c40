"""Files of a package that no component is made of and no output has: each is named, so that none is lost in silence."""

from __future__ import annotations

from pisces.converting.fate import DROPPED, Fate
from pisces.diagnostics import NOTE, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.plugin import Plugin
    from pisces.converting.writer import Written

LEFT_FILE = Rule("left-file", NOTE, "A file of a package is not in the output")
_WHY = "it is not copied: no component names it, or a program would load it by itself"
_FIX = "let a component name it, if it is needed"


def left_file(subject: str, path: str, why: str = _WHY, fix: str = _FIX) -> Fate:
    return Fate(DROPPED, subject, path, 1, "", "", LEFT_FILE.code, LEFT_FILE.severity, why, fix)


def left_files(plugin: Plugin, written: Written) -> Iterator[Fate]:
    """A hidden folder, which belongs to another program, has one fate for all of its files."""
    fates = (*plugin.fates, *written.fates)
    named = {plugin.manifest, *(each.path for each in fates), *(each.source for each in written.files)}
    lost = {each.path for each in fates if each.kind == DROPPED and not each.field}
    folders = tuple(f"{each.folder}/" for each in plugin.skills if each.folder and each.path in lost)
    hidden: dict[str, int] = {}
    for path in (each.path for each in plugin.files):
        if path in named or path.startswith(folders):
            continue
        top, _, inside = path.partition("/")
        if inside and top.startswith("."):
            hidden[top] = hidden.get(top, 0) + 1
        else:
            yield left_file(f"file `{path}`", path)
    for top, count in hidden.items():
        why = f"{count} files of it are not copied: no component names them, or a program would load them by itself"
        yield left_file(f"folder `{top}`", top, why)

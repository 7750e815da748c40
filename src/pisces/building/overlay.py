"""Files that an author keeps by hand for one target: they replace what conversion writes, or change a part of it.

`overlays/TARGET/PATH` is PATH of the output. `overlays/TARGET/NAME.merge.json` is merged into NAME.json as RFC 7396
says: null removes a key, an object is merged, everything else replaces. Of several plugins each has its own folder,
`overlays/TARGET/PLUGIN`.
"""

from __future__ import annotations

import os

from pisces.converting.origin import ORIGIN
from pisces.converting.output_names import unsafe
from pisces.converting.writer import OutputFile
from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, PiscesError, Rule
from pisces.files import MOST_FOLDERS, Unreadable, entries, is_folder, read_bytes, walk
from pisces.formats import json, jsonc
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

OVERLAY_UNUSED = Rule("build-overlay-unused", WARNING, "An overlay belongs to nothing that is built")
OVERLAY_ADDS = Rule("build-overlay-adds", NOTE, "An overlay adds a file that conversion does not write")
OVERLAY_UNUSABLE = Rule("build-overlay-unusable", ERROR, "An overlay cannot be used")

MERGED = ".merge.json"
_JUNK = (".DS_Store", "Thumbs.db")
_DEEPEST = 100


class Overlaid(Value):
    """The files of an output with its overlays, in the order of paths."""

    files: tuple[OutputFile, ...]
    diagnostics: tuple[Diagnostic, ...] = ()


def overlaid(files: Iterable[OutputFile], folder: str, content: Callable[[OutputFile], bytes]) -> Overlaid:
    """`folder` has the overlays of this output and may be missing; `content` reads a file that is only copied."""
    made = {each.path: each for each in files}
    found: list[Diagnostic] = []
    overlays = list(_overlays(folder))
    for path, data, is_executable in overlays:
        whole = os.path.join(folder, *path.split("/"))
        if path == ORIGIN:
            found.append(OVERLAY_UNUSED.at(whole, "the record of a build is its own"))
            continue
        if path.endswith(MERGED):
            base = f"{path.removesuffix(MERGED)}.json"
            if base in made:
                made[base] = made[base].replace(data=_merged(content(made[base]), data, whole), source="")
            else:
                found.append(OVERLAY_UNUSED.at(whole, f"there is no `{base}` in the output to merge it into"))
            continue
        if path not in made:
            _refuse_name(path, whole, made)
            found.append(OVERLAY_ADDS.at(whole, f"conversion writes no `{path}`: it is added"))
        made[path] = OutputFile(path, data, "", is_executable)
    return Overlaid(tuple(made[path] for path in sorted(made)), tuple(found))


def _refuse_name(path: str, whole: str, made: Collection[str]) -> None:
    """One that not every system can have beside the others."""
    folded = path.casefold()
    others = [each.casefold() for each in made]
    why = unsafe(path)
    if folded in others:
        why = "another file has this name in other letters"
    elif any(each.startswith(f"{folded}/") or folded.startswith(f"{each}/") for each in others):
        why = "a folder and a file would have one name"
    if why:
        raise PiscesError(OVERLAY_UNUSABLE.at(whole, f"the overlay cannot be written: {why}"))


def stray_overlays(folder: str, names: Collection[str]) -> Iterator[Diagnostic]:
    """What lies in a folder of overlays under a name that is not among those of what is built."""
    for entry in entries(folder):
        if entry.name not in names and entry.name not in _JUNK:
            what = "target or plugin" if is_folder(entry) else "folder of one"
            yield OVERLAY_UNUSED.at(entry.path, f"`{entry.name}` is no {what} of this build")


def _overlays(folder: str) -> Iterator[tuple[str, bytes, bool]]:
    """Regular files by their path. Links are refused: what they lead to may be no part of the repository."""
    found = []
    if os.path.islink(folder):
        raise PiscesError(OVERLAY_UNUSABLE.at(folder, "an overlay must not be a link"))
    for entry in walk(folder, depth=_DEEPEST, skipped=(".git",), cut=_refuse_rest):
        path = os.path.relpath(entry.path, folder).replace(os.sep, "/")
        if entry.name in _JUNK:
            continue
        if os.path.realpath(entry.path) != os.path.join(os.path.realpath(folder), *path.split("/")):
            raise PiscesError(OVERLAY_UNUSABLE.at(entry.path, "an overlay must not be a link"))
        try:
            data = read_bytes(entry.path)
        except Unreadable as error:
            raise PiscesError(OVERLAY_UNUSABLE.at(entry.path, f"the overlay {error.message}")) from None
        found.append((path, data, bool(os.stat(entry.path).st_mode & 0o100)))
    # What is merged comes last, so that it is merged into a file that another overlay brings.
    yield from sorted(found, key=lambda each: (each[0].endswith(MERGED), each[0]))


def _refuse_rest(folder: str) -> None:
    """An output without a part of its overlays would look like a whole one."""
    message = f"{MOST_FOLDERS:,} folders of overlays are read, and there are more"
    raise PiscesError(OVERLAY_UNUSABLE.at(folder, message, hint="keep only what differs from the conversion there"))


def _merged(base: bytes, patch: bytes, path: str) -> bytes:
    from json import dumps  # slow to import, and seldom needed

    try:
        old = json.parse(base.decode("utf-8"))
    except (Malformed, UnicodeDecodeError):
        raise PiscesError(OVERLAY_UNUSABLE.at(path, "the file that it is merged into is no JSON")) from None
    try:
        new = jsonc.parse_lenient(patch.decode("utf-8"))
    except Malformed as error:
        raise PiscesError(OVERLAY_UNUSABLE.at(path, error.message, place=(error.line, error.column))) from None
    except UnicodeDecodeError:
        raise PiscesError(OVERLAY_UNUSABLE.at(path, "the overlay is not UTF-8")) from None
    merged = _patched(old, new, 0)
    return dumps(merged, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _patched(old: Any, patch: Any, depth: int) -> Any:
    if not isinstance(patch, dict) or depth > _DEEPEST:
        return patch
    made = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = _patched(made.get(key), value, depth + 1)
    return made

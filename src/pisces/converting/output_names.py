"""Names that may become files of an output. What a package calls its parts is somebody else's text."""

from __future__ import annotations

import os
import re

from pisces.converting.fate import DROPPED, Fate
from pisces.converting.file_changes import is_inner
from pisces.diagnostics import ERROR, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.converting.writer import OutputFile

OUTPUT_UNSAFE = Rule("convert-output-unsafe", ERROR, "A converted file has a name that cannot be written safely")
SOURCE_UNREADABLE = Rule("convert-source-unreadable", ERROR, "A file that should be copied cannot be read")

LONGEST_NAME, LONGEST_PATH = 255, 1024  # bytes
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE | re.DOTALL)
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]|[. ]\Z')


def sifted(files: Iterable[OutputFile], folder: str) -> tuple[tuple[OutputFile, ...], tuple[Fate, ...]]:
    """The files that can be written on every system, and a fate for each other one. `folder` is the source."""
    source = _SourceFolder(folder)
    written: dict[str, OutputFile] = {}
    folders: set[str] = set()
    fates: list[Fate] = []
    for each in sorted(files, key=lambda file: file.path):
        why = unsafe(each.path) or _clash(each.path, written, folders)
        if why:
            fates.append(_refused(OUTPUT_UNSAFE, each, f"not written: {why}"))
        elif each.data is None and (why := source.unreadable(each.source)):
            fates.append(_refused(SOURCE_UNREADABLE, each, f"not copied: {why}"))
        else:
            written[each.path.casefold()] = each
            folders.update(_above(each.path.casefold()))
    return tuple(written.values()), tuple(fates)


def unsafe(path: str) -> str:
    """Why a relative path with slashes must not be written; empty for one that may."""
    if not is_inner(path):
        return "its name is no path inside of the output"
    if _CONTROL.search(path):
        return "its name has a control character"
    try:
        encoded = path.encode("utf-8")
    except UnicodeEncodeError:
        return "its name is no text"
    parts = path.split("/")
    if len(encoded) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in parts):
        return "its name is too long"
    if any(_RESERVED.fullmatch(part) or _NOT_ON_WINDOWS.search(part) for part in parts):
        return "Windows cannot have a file of that name"
    return ""


def _clash(path: str, written: dict[str, OutputFile], folders: set[str]) -> str:
    """Where a disk does not tell cases apart, the second file would replace the first."""
    folded = path.casefold()
    if folded in written:
        return f"it differs from `{written[folded].path}` in case only"
    if folded in folders or any(each in written for each in _above(folded)):
        return "a folder and a file would have one name"
    return ""


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


class _SourceFolder:
    """A package whose files are copied. A link that leads out of it is not followed."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._top = os.path.realpath(folder).rstrip(os.sep) + os.sep
        self._real: dict[str, str] = {}  # of folders: asking for each file would take longer than copying it

    def unreadable(self, path: str) -> str:
        """Why a file of the package is not copied; empty where it is."""
        if not is_inner(path):
            return "its path leads out of the package"
        whole = os.path.join(self._folder, *path.split("/"))
        above = os.path.dirname(whole)
        if above not in self._real:
            self._real[above] = os.path.realpath(above)
        real = os.path.realpath(whole) if os.path.islink(whole) else os.path.join(self._real[above], "")
        if not real.startswith(self._top):
            return "it leads out of the package"
        if not os.path.isfile(whole):
            return "it is no regular file"
        return "" if os.access(whole, os.R_OK) else "it cannot be read"


def _refused(rule: Rule, file: OutputFile, why: str) -> Fate:
    return Fate(DROPPED, f"file `{file.path}`", file.source, 0, "", "", rule.code, rule.severity, why)

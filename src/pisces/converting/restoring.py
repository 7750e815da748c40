"""The way back: a converted package whose source is recorded gives that source again, byte for byte.

What was edited since is converted anew and takes the place of the files that it was made of; the rest is as it was.
"""

from __future__ import annotations

import os

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_COMPONENT, MAPPED, Fate
from pisces.converting.origin import ORIGIN, ORIGIN_UNUSABLE, PluginOrigin, digest_of, manifest_of, origin_in
from pisces.converting.writer import OutputFile, Written
from pisces.discovery.containment import stays_inside
from pisces.files import Unreadable, read_bytes
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.origin import OriginOutput, OriginSource
    from pisces.converting.reading import ReadPlugin
    from pisces.diagnostics import Diagnostic, Rule


class Restored(Value):
    """`is_whole`: nothing was edited, so that these files are the source and nothing else."""

    written: Written
    is_whole: bool


def restored(read: ReadPlugin, anew: Written, wanted: str) -> Restored | Diagnostic | None:
    """`anew` is the whole package, converted as if there were no record. None where none leads to that format."""
    origin = origin_in(read.folder)
    if not isinstance(origin, PluginOrigin):
        return origin
    if (origin.target, origin.format) != (read.plugin.format, wanted):
        return None
    edits = _Edits(read, origin)
    made = {path: edits.made_anew(path, anew, manifest_of(wanted)) for path in edits.edited}
    gone = edits.replaced(made)
    files: dict[str, OutputFile] = {}
    for source in origin.sources:
        if source.path in gone:
            continue
        data = edits.content(source)
        if data is None:
            path = os.path.join(read.folder, *ORIGIN.split("/"))
            return ORIGIN_UNUSABLE.at(path, f"the content of `{source.path}` is not what its digest says")
        files[source.path] = OutputFile(source.path, data, "", source.is_executable)
    fates = [Fate(MAPPED, f"file `{path}`", ORIGIN, output=path) for path in files]
    for path, new in made.items():
        fates += [each for each in anew.fates if each.path == path and each.is_loss]
        fates += _placed(path, new, files)
    fates += edits.removed_fates()
    return Restored(Written(tuple(files[path] for path in sorted(files)), tuple(fates)), not edits.any)


def _placed(path: str, new: Iterable[OutputFile], files: dict[str, OutputFile]) -> Iterator[Fate]:
    """Puts what an edited file became among the files, where there is a place for it."""
    for file in new:
        if file.path in files:
            yield _loss(LOST_COMPONENT, path, f"`{file.path}` of the source has the place that it would be written to")
        else:
            files[file.path] = file
            yield Fate(MAPPED, f"file `{path}`", path, output=file.path)
    if not new:
        yield _loss(CHANGED_MEANING, path, "what was edited here has no counterpart in the source's format")


class _Edits:
    """What is different in a folder from what was written there."""

    def __init__(self, read: ReadPlugin, origin: PluginOrigin) -> None:
        self._folder = read.folder
        self._manifest = read.plugin.manifest
        self._here = {each.path: each for each in read.plugin.files if each.path != ORIGIN}
        self._sources = origin.sources
        self._outputs = {each.path: each for each in origin.outputs}
        self.removed = [path for path in self._outputs if path not in self._here]
        self.edited = [path for path in self._here if self._is_edited(path)]

    @property
    def any(self) -> bool:
        return bool(self.removed or self.edited)

    def made_anew(self, path: str, anew: Written, manifest: str) -> list[OutputFile]:
        """The files that an edited one becomes. What was only copied is copied back where nothing else is said."""
        outputs = {each.output for each in anew.fates if each.path == path}
        outputs |= {manifest} if path == self._manifest else set()
        made = [each for each in anew.files if each.path in outputs or (each.data is None and each.source == path)]
        if not made:
            is_executable = self._here[path].is_executable
            return [OutputFile(each.path, None, path, is_executable) for each in self._sources if each.output == path]
        places = self._outputs[path].sources if path in self._outputs else ()
        if len(made) == len(places) == 1 and _suffix(made[0].path) == _suffix(places[0]):
            return [made[0].replace(path=places[0])]
        return made

    def replaced(self, made: dict[str, list[OutputFile]]) -> set[str]:
        """The sources that are not given back: something was made anew for them, or nothing of them is left."""
        anew = {source for path, new in made.items() if new and path in self._outputs for source in self._of(path)}
        left = {source for path in self._outputs if path not in self.removed for source in self._of(path)}
        return anew | {source for path in self.removed for source in self._of(path) if source not in left}

    def content(self, source: OriginSource) -> bytes | None:
        data = self._bytes(source.output) if source.output else source.data
        return data if data is not None and digest_of(data) == source.digest else None

    def removed_fates(self) -> Iterator[Fate]:
        for path in self.removed:
            yield _loss(LOST_COMPONENT, path, "it was removed from the converted package")

    def _of(self, path: str) -> tuple[str, ...]:
        return self._outputs[path].sources

    def _is_edited(self, path: str) -> bool:
        output: OriginOutput | None = self._outputs.get(path)
        data = self._bytes(path) if output else None
        if output is None or data is None or digest_of(data) != output.digest:
            return True
        return os.name != "nt" and self._here[path].is_executable != output.is_executable

    def _bytes(self, path: str) -> bytes | None:
        whole = os.path.join(self._folder, *path.split("/"))
        if path not in self._here or not stays_inside(whole, self._folder):
            return None
        try:
            return read_bytes(whole)
        except Unreadable:
            return None


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1]


def _loss(rule: Rule, path: str, why: str) -> Fate:
    kind = DROPPED if rule is LOST_COMPONENT else APPROXIMATED
    return Fate(kind, f"file `{path}`", path, 0, "", "", rule.code, rule.severity, why)

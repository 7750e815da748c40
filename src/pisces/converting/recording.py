"""What a conversion was made of, as a file of its output: the way back gives the source byte for byte."""

from __future__ import annotations

import os

from pisces.converting.fate import DROPPED, Fate
from pisces.converting.origin import (
    ORIGIN,
    OriginOutput,
    OriginSource,
    PluginOrigin,
    digest_of,
    is_inner_path,
    manifest_of,
    origin_text,
)
from pisces.converting.writer import OutputFile, Written
from pisces.diagnostics import NOTE, Rule
from pisces.files import MAX_BYTES, Unreadable, read_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.converting.plugin import PluginFile
    from pisces.converting.reading import ReadPlugin

NOT_RECORDED = Rule("convert-not-recorded", NOTE, "A file of the source cannot be given back by converting again")

_ROOM = MAX_BYTES // 2  # for contents: a record that is too large could not be read again


def recorded(read: ReadPlugin, written: Written, target: str) -> Written:
    """What was written, with the record of it. `target` is the format of the output."""
    source = _Source(read.folder)
    made_of = _made_of(read, written, manifest_of(target))
    outputs = [_output(each, source, made_of.get(each.path, ())) for each in written.files]
    copies = {(source, each.digest): each.path for each in reversed(outputs) for source in each.sources}
    room = _ROOM
    sources: list[OriginSource] = []
    fates: list[Fate] = []
    for file in read.plugin.files:
        made = _recorded_source(file, source, copies, room)
        if isinstance(made, Fate):
            fates.append(made)
        else:
            room -= len(made.data or b"")
            sources.append(made)
    origin = PluginOrigin(read.plugin.harness, read.plugin.format, target, tuple(sources), tuple(outputs))
    files = sorted((*written.files, OutputFile(ORIGIN, origin_text(origin))), key=lambda each: each.path)
    return written.replace(files=tuple(files), fates=(*written.fates, *fates))


class _Source:
    """Files of the source, each read once. `None` for what cannot be read, which whoever copies it reports."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._read: dict[str, bytes | None] = {}

    def data(self, path: str) -> bytes | None:
        if path not in self._read:
            try:
                self._read[path] = read_bytes(os.path.join(self._folder, *path.split("/")))
            except Unreadable:
                self._read[path] = None
        return self._read[path]


def _made_of(read: ReadPlugin, written: Written, manifest: str) -> Mapping[str, tuple[str, ...]]:
    """For each output, the files of the source that it was made of: by what is copied and by the fates."""
    known = {each.path for each in read.plugin.files}
    found: dict[str, dict[str, None]] = (
        {manifest: {read.plugin.manifest: None}} if manifest and read.plugin.manifest else {}
    )
    pairs = [(each.path, each.source) for each in written.files]
    for output, source in (*pairs, *((each.output, each.path) for each in written.fates)):
        if output and source in known:
            found.setdefault(output, {})[source] = None
    return {output: tuple(each for each in sources if each in known) for output, sources in found.items()}


def _output(file: OutputFile, source: _Source, made_of: Iterable[str]) -> OriginOutput:
    data = file.data if file.data is not None else source.data(file.source)
    return OriginOutput(file.path, digest_of(data or b""), file.is_executable, tuple(made_of))


def _recorded_source(
    file: PluginFile, source: _Source, copies: Mapping[tuple[str, str], str], room: int
) -> OriginSource | Fate:
    data = source.data(file.path)
    if data is None or not is_inner_path(file.path):
        return _unrecorded(file, "cannot be read" if data is None else "has a name that not every system can have")
    digest = digest_of(data)
    same = copies.get((file.path, digest), "")
    if not same and len(data) > room:
        return _unrecorded(file, "is too large to be recorded")
    return OriginSource(file.path, digest, file.is_executable, same, None if same else data)


def _unrecorded(file: PluginFile, why: str) -> Fate:
    rule = NOT_RECORDED
    return Fate(DROPPED, f"file `{file.path}`", file.path, 0, "", "", rule.code, rule.severity, f"the file {why}")

"""A package for another harness: read, rewritten without touching the disk, with what became of every part."""

from __future__ import annotations

from pisces.converting.fate import DROPPED, LOST_COMPONENT, lost
from pisces.converting.left_files import left_files
from pisces.converting.origin import ORIGIN
from pisces.converting.output_names import sifted
from pisces.converting.reading import read_plugin
from pisces.converting.recording import recorded
from pisces.converting.restoring import Restored, restored
from pisces.converting.writer import WriteOptions, all_writers, writer_named
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginAgent, PluginCommand
    from pisces.converting.reading import ReadPlugin
    from pisces.converting.writer import OutputFile, Writer, Written
    from pisces.places import Places

UNKNOWN_TARGET = Rule("convert-unknown-target", ERROR, "There is no such target to convert to")


class Converted(Value):
    """`folder` is the source, `files` what is to be written. `diagnostics` are about the source as it was found.

    `servers` are the MCP servers of an installation into a user's own folders, whose settings name them.
    """

    plugin: Plugin
    folder: str
    target: str
    files: tuple[OutputFile, ...]
    fates: tuple[Fate, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    servers: Mapping[str, Any] = EMPTY


class ConvertRequest(Value):
    """`source` is a folder, `only` the format to read it as, where it has several.

    `plugin` is the name of one that the folder lists as a marketplace.
    """

    source: str
    target: str
    only: str | None = None
    options: WriteOptions = WriteOptions()
    plugin: str = ""


def convert(request: ConvertRequest, places: Places) -> Converted:
    """`PiscesError` where the source is no package or the target is unknown; everything else is an fate."""
    writer = target_named(request.target)
    read = _without_record(read_source(request, places))
    written = _sifted(with_modes(written_by(writer, read.plugin, request.options), read.plugin), read.folder)
    if request.options.root:  # a user's own folders: no package, so no record of one
        fates = (*read.plugin.fates, *written.fates)
        return Converted(read.plugin, read.folder, writer.id, written.files, fates, read.diagnostics, written.servers)
    back = restored(read, written, writer.format)
    if isinstance(back, Restored):
        written = back.written if back.is_whole else recorded(read, back.written, writer.format)
    else:
        written = recorded(read, written.replace(fates=(*read.plugin.fates, *written.fates)), writer.format)
    problems = (*read.diagnostics, back) if isinstance(back, Diagnostic) else read.diagnostics
    return Converted(read.plugin, read.folder, writer.id, written.files, written.fates, problems)


def read_source(request: ConvertRequest, places: Places) -> ReadPlugin:
    """The package that a request is about, before it is converted."""
    source, target = places.absolute(request.source), target_named(request.target).format
    return read_plugin(source, places, request.only, target, request.plugin)


def written_by(writer: Writer, plugin: Plugin, options: WriteOptions) -> Written:
    """What a target gets. Commands and subagents that are meant for others have a fate, and so has each file left."""
    items: tuple[PluginCommand | PluginAgent, ...] = (*plugin.commands, *plugin.agents)
    others = [each for each in items if each.targets and writer.id not in each.targets]
    if plugin.format == writer.format:
        others = []
    paths = {each.path for each in others}
    meant = plugin.replace(
        commands=tuple(each for each in plugin.commands if each not in others),
        agents=tuple(each for each in plugin.agents if each not in others),
        files=tuple(each for each in plugin.files if each.path not in paths),
    )
    written = writer.write(meant, options)
    why = "its author means it for {}"
    left = (lost(DROPPED, LOST_COMPONENT, each, why.format(", ".join(each.targets))) for each in others)
    return written.replace(fates=(*written.fates, *left, *left_files(meant, written)))


def _sifted(written: Written, folder: str) -> Written:
    files, fates = sifted(written.files, folder)
    return written.replace(files=files, fates=(*written.fates, *fates))


def with_modes(written: Written, plugin: Plugin) -> Written:
    """A copy of a program is a program."""
    programs = {each.path for each in plugin.files if each.is_executable}
    files = (
        each.replace(is_executable=True) if each.data is None and each.source in programs else each
        for each in written.files
    )
    return written.replace(files=tuple(files))


def _without_record(read: ReadPlugin) -> ReadPlugin:
    """The record of an earlier conversion is no part of the package, nor is an output that lies in its source."""
    plugin = read.plugin
    records = [each.path for each in plugin.files if each.path == ORIGIN or each.path.endswith(f"/{ORIGIN}")]
    outputs = tuple(path.removesuffix(ORIGIN) for path in records if path != ORIGIN)

    def belongs(path: str) -> bool:
        return path != ORIGIN and not (outputs and path.startswith(outputs))

    files = tuple(each for each in plugin.files if belongs(each.path))
    skills = (each.replace(files=tuple(filter(belongs, each.files))) for each in plugin.skills)
    return read.replace(plugin=plugin.replace(files=files, skills=tuple(skills)))


def target_named(name: str) -> Writer:
    found = writer_named(name)
    if found is None:
        known = ", ".join(each.id for each in all_writers())
        raise PiscesError(UNKNOWN_TARGET.at("", f"there is no target `{name}`", hint=f"one of {known}"))
    return found

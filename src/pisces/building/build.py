"""Everything that a build writes, before anything is written: packages of each target, and files with a version."""

from __future__ import annotations

import os

from pisces.building.config import BuildConfig, BuildTarget
from pisces.building.overlay import overlaid, stray_overlays
from pisces.building.plugins import BuildPlugin, plugins_of
from pisces.building.record import marked, with_record
from pisces.building.version import checked_version, declared_version, form_of_version
from pisces.building.versions import version_places, versioned_files, wanted_versions
from pisces.converting.convert import Converted, target_named, written_by
from pisces.converting.output_names import SOURCE_UNREADABLE, sifted
from pisces.converting.writer import OutputFile
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.package_format import all_formats
from pisces.value import Value, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pisces.building.versions import VersionedFile
    from pisces.converting.writer import Writer
    from pisces.places import Places

BUILD_NOTHING = Rule("build-nothing", ERROR, "A build was asked for something that its configuration does not have")


class BuildChoice(Value):
    """What is built; empty means all."""

    targets: tuple[str, ...] = ()
    plugins: tuple[str, ...] = ()


ALL = BuildChoice()


class BuiltPackage(Value):
    """One plugin for one target. Files of `converted` have their content; `out` is the folder that they belong into.

    `plugin` is the name of its folders and archives. `accepted` are codes of losses that do not make a build fail.
    """

    plugin: str
    version: str
    out: str
    converted: Converted
    platforms: tuple[str, ...] = ()
    harness: str = ""
    accepted: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        return self.converted.target

    @property
    def files(self) -> tuple[OutputFile, ...]:
        return self.converted.files

    @property
    def source(self) -> str:
        return self.converted.folder


class Built(Value):
    """`versions` has that of each plugin by its folder, and of the whole repository by the empty one, where known.

    `edits` are the files that say another one.
    """

    config: BuildConfig
    versions: Mapping[str, str]
    packages: tuple[BuiltPackage, ...]
    edits: tuple[VersionedFile, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def build(
    config: BuildConfig,
    places: Places,
    choice: BuildChoice = ALL,
    report: Callable[[str], None] = lambda _text: None,
) -> Built:
    """Reads the source and the overlays; writes nothing. `report` hears what is being worked on."""
    targets = _chosen_targets(config, choice)
    declared = declared_version(config, places)
    every, unread = plugins_of(config, places)
    plugins = _chosen_plugins(every, choice)
    diagnostics = [*unread, *(each for plugin in plugins for each in plugin.read.diagnostics)]
    outs = {plugin.inside(config.at(target.out)): plugin.folder for plugin in plugins for target in config.targets}
    found_places = version_places(config, {each.folder: each.read.plugin.manifest for each in plugins}, outs)
    versions = wanted_versions([each.folder for each in plugins], found_places, declared)
    for each in sorted(set(versions.values())):
        form = form_of_version(checked_version(each, config.path), config.path)
        diagnostics += [form] if form else []
    edits = versioned_files(found_places, versions)
    edited = {each.path: each.after for each in edits}
    packages = []
    for plugin in plugins:
        contents, version = _Contents(plugin, edited), versions.get(plugin.folder, "")
        for target in targets:
            report(f"{plugin.name} for {target.id}")
            package, found = _package(config, plugin, target, contents, version)
            packages.append(package)
            diagnostics += found
    diagnostics += _strays(config, every)
    return Built(config, frozen(versions), tuple(packages), tuple(edits), tuple(diagnostics))


def _chosen_targets(config: BuildConfig, choice: BuildChoice) -> list[BuildTarget]:
    known = {each.id: each for each in config.targets}
    for name in choice.targets:
        if name not in known:
            hint = f"one of {', '.join(known)}" if known else "add it to `[build.targets]`"
            raise PiscesError(BUILD_NOTHING.at(config.path, f"`{name}` is no target of this build", hint=hint))
    return [known[name] for name in dict.fromkeys(choice.targets or known)]


def _chosen_plugins(plugins: list[BuildPlugin], choice: BuildChoice) -> list[BuildPlugin]:
    known = [each.name for each in plugins]
    for name in choice.plugins:
        if name not in known:
            raise PiscesError(BUILD_NOTHING.at("", f"there is no plugin `{name}`", hint=f"one of {', '.join(known)}"))
    return [each for each in plugins if not choice.plugins or each.name in choice.plugins]


def _package(
    config: BuildConfig, plugin: BuildPlugin, target: BuildTarget, contents: _Contents, version: str
) -> tuple[BuiltPackage, tuple[Diagnostic, ...]]:
    writer = target_named(target.id)
    source = plugin.read.plugin.replace(version=version) if version else plugin.read.plugin
    written = written_by(writer, source, target.options)
    safe, unsafe = sifted(written.files, plugin.read.folder)
    made = overlaid(safe, plugin.inside(config.at(config.overlays), target.id), contents.of)
    files = with_record([contents.whole(each) for each in marked(made.files)], source, writer)
    fates = (*source.fates, *written.fates, *unsafe)
    converted = Converted(source, plugin.read.folder, writer.id, files, fates)
    out = plugin.inside(config.at(target.out))
    package = BuiltPackage(plugin.name, version, out, converted, target.platforms, _harness_of(writer), target.accepted)
    return package, made.diagnostics


def _harness_of(writer: Writer) -> str:
    return next((each.harness for each in all_formats() if each.id == writer.format), writer.id)


def _strays(config: BuildConfig, plugins: list[BuildPlugin]) -> Iterator[Diagnostic]:
    root = config.at(config.overlays)
    names = [each.id for each in config.targets]
    yield from stray_overlays(root, names)
    if any(each.subfolder for each in plugins):
        for name in names:
            yield from stray_overlays(os.path.join(root, name), [each.subfolder for each in plugins])


class _Contents:
    """Contents of files of one plugin. Those in which the version changes have the new one already."""

    def __init__(self, plugin: BuildPlugin, edited: Mapping[str, bytes]) -> None:
        self._edited = edited
        self._folder = plugin.read.folder
        self._programs = {each.path for each in plugin.read.plugin.files if each.is_executable}

    def whole(self, file: OutputFile) -> OutputFile:
        if file.data is not None:
            return file
        is_executable = file.is_executable or file.source in self._programs
        return OutputFile(file.path, self.of(file), file.source, is_executable)

    def of(self, file: OutputFile) -> bytes:
        if file.data is not None:
            return file.data
        path = os.path.join(self._folder, *file.source.split("/"))
        if path in self._edited:
            return self._edited[path]
        try:
            with open(path, "rb") as opened:  # a regular file of any size: names were sifted
                return opened.read()
        except OSError as error:
            message = f"the file cannot be read: {(error.strerror or str(error)).lower()}"
            raise PiscesError(SOURCE_UNREADABLE.at(path, message)) from None

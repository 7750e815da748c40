"""A folder, read into one neutral plugin. Finding is discovery's; what it drops is added here.

What only one program does is in `plugin_reading` of its folder, with `READER`; without one it is read plainly.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called, folders_with
from pisces.converting.fate import DROPPED, NEVER_LOADED, Fate
from pisces.converting.items import ItemReader
from pisces.converting.plugin import Plugin
from pisces.converting.prompt_text import plain
from pisces.converting.source_files import SourceFiles
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.inventory import Inventory, inventory
from pisces.discovery.package_format import format_named, formats_of, real_folder
from pisces.shapes.settings import PackageSetting
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from pisces.converting.plugin import PluginFile, PluginItem
    from pisces.converting.prompt_text import PromptText
    from pisces.discovery.config_file import ConfigFile
    from pisces.discovery.package_format import PackageFormat, ReadPackage
    from pisces.places import Places
    from pisces.shapes.field import Keys

NOT_A_PACKAGE = Rule("convert-no-package", ERROR, "A folder that should be converted is not a package")
HARNESSES = "pisces.harnesses"
_METADATA = ("author", "homepage", "repository", "license", "keywords", "displayName")
# What few programs have: the capability, and what people call one of it.
_REST = {"policies": "policy", "themes": "theme", "modules": "module"}


NOT_LISTED = Rule("convert-not-listed", ERROR, "A marketplace has no such plugin that could be read")


class ListedPlugin(Value):
    """A plugin of a marketplace. `folder` is empty where it is not in the marketplace's, and `why` says the reason.

    `keys` lead to its entry in `file`.
    """

    name: str
    folder: str
    harness: str
    file: ConfigFile
    keys: Keys
    line: int = 0
    why: str = ""

    @property
    def entry(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.file.part(self.keys)
        return found


class PackageReading(Value):
    """What a reader works with beside the plugin: where it was found, its files, and how its items are read."""

    inventory: Inventory
    files: SourceFiles
    items: ItemReader


class PluginReader(Value):
    """How one harness's packages are read beyond what discovery says of them.

    `template` cuts the text of a command, a skill or a subagent into parts, by the class of its item and its header;
    `completed` adds what discovery does not look for, and says what the harness itself never loads. `variables` cuts
    plain strings: lines of hooks, arguments and addresses of servers. Where a folder is a package of several harnesses,
    the lowest `rank` is read. `listings` are the files of its marketplaces; `listed` makes a package of an entry, with
    what the plugin's own manifest says. `answered` are codes of problems about which `completed` has more to say.
    """

    template: Callable[[str, type[PluginItem], Mapping[str, Any]], PromptText] = lambda text, _kind, _fields: plain(
        text
    )
    completed: Callable[[Plugin, PackageReading], Plugin] = lambda plugin, _reading: plugin
    variables: Callable[[str], PromptText] = plain
    rank: int = 1
    listings: tuple[str, ...] = ()
    listed: Callable[[ListedPlugin, Places], ReadPackage | None] = lambda *_: None
    answered: tuple[str, ...] = ()


class ReadPlugin(Value):
    plugin: Plugin
    folder: str
    diagnostics: tuple[Diagnostic, ...] = ()


def read_plugin(folder: str, places: Places, only: str | None = None, target: str = "", plugin: str = "") -> ReadPlugin:
    """The package in a folder, in the format that is asked for, or in the one that says most of it.

    A format other than `target` comes first: what is to be written is seldom what is to be read. `plugin` is the name
    of one that the folder lists as a marketplace. `PiscesError` where the folder is no package.
    """
    folder = real_folder(folder, places)
    if plugin:
        return _read_listed(_named(folder, plugin, places), places, only, target)
    found = [each for each in formats_of(folder) if only in (None, each.id)]
    if found:
        return _read(inventory(folder, _chosen(found, target), places))
    listed = _plugins_in(folder, places)
    if len(listed) == 1:
        return _read_listed(listed[0], places, only, target)
    hint = "`pisces inspect` says what a folder is"
    if listed:
        names = ", ".join(each.name for each in listed[:8])
        hint = f"it lists plugins: name one or more with `--plugin`, or `*` for all: {names}"
    if not os.path.isdir(folder):
        there = "it is a file" if os.path.lexists(folder) else "there is no such folder"
        raise PiscesError(NOT_A_PACKAGE.at(folder, there, hint="name the folder of a package"))
    raise PiscesError(NOT_A_PACKAGE.at(folder, "no manifest of any format is in it", hint=hint))


def _read_listed(listed: ListedPlugin, places: Places, only: str | None, target: str) -> ReadPlugin:
    if not listed.folder:
        raise PiscesError(NOT_LISTED.at(listed.file.path, f"`{listed.name}`: {listed.why}", place=(listed.line, 1)))
    reader = reader_of(listed.harness)
    made = reader.listed(listed, places)
    formats = [each for each in formats_of(listed.folder) if only in (None, each.id)]
    chosen = _chosen(formats, target) if formats else None
    if made and made.package and (chosen is None or chosen.id == made.package.format):
        return _read(inventory(listed.folder, format_named(made.package.format), places, made))
    if chosen is None:
        raise PiscesError(NOT_A_PACKAGE.at(listed.folder, "no manifest of any format is in it"))
    return _read(inventory(listed.folder, chosen, places))


def _named(folder: str, name: str, places: Places) -> ListedPlugin:
    listed = _plugins_in(folder, places)
    found = next((each for each in listed if each.name == name), None)
    if found is None:
        hint = f"one of {', '.join(each.name for each in listed[:20])}" if listed else "the folder is no marketplace"
        raise PiscesError(NOT_LISTED.at(folder, f"no plugin `{name}` is listed", hint=hint))
    return found


def _plugins_in(folder: str, places: Places) -> list[ListedPlugin]:
    found: list[ListedPlugin] = export_of("pisces.converting", "marketplace", "plugins_in")(folder, places)
    return found


def _chosen(formats: list[PackageFormat], target: str) -> PackageFormat:
    return min(formats, key=lambda each: (each.id == target, reader_of(each.harness).rank, each.rank))


def _read(found: Inventory) -> ReadPlugin:
    reader = reader_of(found.format.harness)
    files = SourceFiles(found.folder)
    listed, fates = files.all()
    items = ItemReader(files, _name(found), reader.template, listed)
    plugin = _plugin(found, items, listed).replace(lines=_manifest_lines(found, files))
    plugin = reader.completed(plugin, PackageReading(found, files, items))
    problems = _unread(found, files, reader.answered)
    fates = tuple(dict.fromkeys((*plugin.fates, *fates, *items.fates, *problems)))
    return ReadPlugin(plugin.replace(fates=fates), found.folder, found.diagnostics)


def _unread(found: Inventory, files: SourceFiles, answered: tuple[str, ...]) -> Iterator[Fate]:
    """What a finder rejects is no item, so that nobody else can say that it is lost."""
    for problem in found.diagnostics:
        if problem.severity == ERROR and problem.code not in answered:
            at = files.below(problem.path) if problem.path else ""
            subject = f"file `{problem.about or at}`"
            rule, why = NEVER_LOADED, f"{found.format.label}: {problem.message}"
            yield Fate(DROPPED, subject, at, problem.line, "", "", rule.code, rule.severity, why, problem.hint)


def all_readers() -> list[tuple[str, PluginReader]]:
    """Each harness with a reader of its own; the one that says most comes first."""
    packages = {
        *files_called(HARNESSES, "plugin_reading"),
        *(each.rpartition(".")[0] for each in folders_with(HARNESSES, "plugin_reading")),
    }
    names = sorted(each.rpartition(".")[2] for each in packages)
    return sorted(((name, reader_of(name)) for name in names), key=lambda each: each[1].rank)


def reader_of(harness: str) -> PluginReader:
    package = f"{HARNESSES}.{harness.replace('-', '_')}"
    known = (*files_called(HARNESSES, "plugin_reading"), *folders_with(HARNESSES, "plugin_reading"))
    if package not in known and f"{package}.plugin_reading" not in known:
        return PluginReader()
    found: PluginReader = export_of(package, "plugin_reading", "READER")
    return found


def _name(found: Inventory) -> str:
    return str(found.package.name if found.package else os.path.basename(found.folder))


def _manifest(found: Inventory) -> str:
    path = found.format.manifest_path(found.folder)
    return os.path.relpath(path, found.folder).replace(os.sep, "/") if found.format.has_manifest(found.folder) else ""


def _manifest_lines(found: Inventory, files: SourceFiles) -> Mapping[str, int]:
    fields = found.package.fields if found.package else EMPTY
    path = _manifest(found)
    return files.lines(files.absolute(path), (), fields) if path else EMPTY


def _plugin(found: Inventory, items: ItemReader, files: tuple[PluginFile, ...]) -> Plugin:
    fields = found.package.fields if found.package else EMPTY
    asked = {key: [each.item for each in listed] for key, listed in found.found.items()}
    settings = [each for each in asked["settings"] if isinstance(each, PackageSetting)]
    return Plugin(
        _name(found),
        str(fields.get("version") or ""),
        str(fields.get("description") or ""),
        found.format.harness,
        found.format.id,
        _manifest(found),
        {key: fields[key] for key in _METADATA if key in fields},
        commands=items.every((each for each in asked["commands"] if each.executable is None), items.command),
        skills=items.every(asked["skills"], items.skill),
        agents=items.every(asked["subagents"], items.agent),
        hooks=items.every(asked["hooks"], items.hook),
        servers=items.every(asked["mcp-servers"], items.server),
        settings=items.every(settings, items.setting),
        contexts=items.every(asked["context-files"], items.context),
        rest=(
            *(each for key, sort in _REST.items() for each in items.every(asked[key], items.rest(sort))),
            *items.every((each for each in asked["commands"] if each.executable), items.rest("program command")),
        ),
        files=files,
        fields=fields,
    )

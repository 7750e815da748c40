"""A configuration for a repository that ships by hand: the manifests that are there are read, nothing is changed.

The source is what a marketplace lists, or the format with the most components in the folder. What is shipped by hand
stays so: only its version is written. The version comes from the file of the project where that says the highest one,
because it was raised last.
"""

from __future__ import annotations

import os
import re

from pisces.building.config import MANIFEST_VERSION, BuildConfig, build_table
from pisces.building.plugins import plugin_places
from pisces.building.version import version_in
from pisces.building.versions import VersionPlace, version_places, wanted_versions
from pisces.checking.marketplace import marketplaces_in, plugin_folders
from pisces.converting.writer import all_writers
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.containment import stays_inside
from pisces.discovery.inventory import inspect
from pisces.discovery.own_config import FILE
from pisces.discovery.package_format import all_formats, format_named
from pisces.files import Unreadable, entries, read_bytes
from pisces.formats.toml_text import toml_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.discovery.inventory import Inventory
    from pisces.places import Places

BUILD_CONFIGURED = Rule("build-configured", ERROR, "There is a configuration of `build` already")
BUILD_NO_PLUGIN = Rule("build-no-plugin", ERROR, "A repository has no plugin that could be built")

_PROJECTS = ("package.json", "pyproject.toml")
_LIKE_A_MANIFEST = re.compile(r"\.[a-z0-9-]+-plugin")  # of programs that nothing here knows
_COUNTED = ("commands", "skills", "subagents", "hooks", "mcp-servers")
_NUMBERS = re.compile("[0-9]+")


class Proposal(Value):
    """`text` is what would be written to `path`, behind what is there. `plugins` are their folders.

    `places` are all versions that were found, `out_of_step` those that a build would change.
    """

    path: str
    text: str
    plugins: tuple[str, ...]
    places: tuple[VersionPlace, ...]
    out_of_step: tuple[VersionPlace, ...]


def proposal(places: Places) -> Proposal:
    """For the current folder. `PiscesError` where there is nothing to build, or a configuration already."""
    table = build_table(places.cwd)
    if table:
        raise PiscesError(BUILD_CONFIGURED.at(table.path, "there is a `[build]` already", hint="change it by hand"))
    bare = BuildConfig(os.path.join(places.cwd, FILE))
    package_format = _source_format(bare, places)
    config = bare.replace(format=package_format)
    folders = plugin_places(config)
    manifests = dict.fromkeys(folders, format_named(package_format).manifest)
    config = config.replace(version_files=tuple(_named_files(config, folders)))
    found = version_places(config, manifests, {})
    by_hand = _by_hand(folders, package_format)
    version = _version_source(config, found, len(folders))
    text = _text(config, version, by_hand, os.path.relpath(folders[0], config.folder) if len(folders) == 1 else ".")
    declared = "" if version == MANIFEST_VERSION else version_in(config.at(version))
    if version.endswith(".json"):  # so that it is shown beside the others
        found = version_places(config.replace(version_files=(*config.version_files, version)), manifests, {})
    wanted = wanted_versions(folders, found, declared)
    wrong = (each for each in found if wanted.get(each.folder, each.version) != each.version)
    return Proposal(bare.path, text, tuple(folders), tuple(found), tuple(wrong))


def adopted_text(proposed: Proposal) -> bytes:
    """The whole file with the proposal in it."""
    try:
        before = read_bytes(proposed.path)
    except Unreadable:
        before = b""
    gap = b"" if not before else b"\n" if before.endswith(b"\n") else b"\n\n"
    return before + gap + proposed.text.encode()


def _source_format(config: BuildConfig, places: Places) -> str:
    """Of the marketplace, or of the folder, in which the most components are found; of equals the first."""
    listed = {each.format: list(plugin_folders(config.folder, each)) for each in marketplaces_in(config.folder)}
    counts = {name: sum(_count(folder, name, places) for folder in folders) for name, folders in listed.items()}
    if not any(counts.values()):
        counts = {each.format.id: _components(each) for each in inspect(config.folder, places)}
    counts = counts or {name: len(folders) for name, folders in listed.items() if folders}
    if not counts:
        hint = "`pisces inspect` says what a folder is"
        raise PiscesError(BUILD_NO_PLUGIN.at(config.folder, "no plugin of any format is here", hint=hint))
    return max(counts, key=lambda name: counts[name])


def _count(folder: str, package_format: str, places: Places) -> int:
    return sum(map(_components, inspect(folder, places, package_format)))


def _components(inventory: Inventory) -> int:
    return sum(len(inventory.found[each]) for each in _COUNTED)


def _by_hand(folders: Iterable[str], source: str) -> dict[str, str]:
    """The other formats that have a manifest here, with its place."""
    made = [each for each in all_formats() if each.id != source and each.manifest and not each.bare]
    return {
        each.id: each.manifest for folder in folders for each in made if each.fits(folder) and each.has_manifest(folder)
    }


def _text(config: BuildConfig, version: str, by_hand: Mapping[str, str], source: str) -> str:
    values: dict[str, Any] = {} if source == "." else {"source": source.replace(os.sep, "/")}
    values.update(format=config.format, version=version)
    named = [each for each in config.version_files if each != version]
    if named:
        values["version-files"] = named
    writers = [each for each in all_writers() if each.format != config.format]
    values["targets"] = {each.id: f"dist/{each.id}" for each in writers if each.format not in by_hand}
    lines = [
        f"# {each.id}: shipped by hand, as {by_hand[each.format]} says" for each in writers if each.format in by_hand
    ]
    return "\n".join([toml_text({"build": values}).strip("\n"), *lines, ""])


def _version_source(config: BuildConfig, found: Iterable[VersionPlace], plugins: int) -> str:
    """The file of the project if it says the highest version; else the manifests say their own."""
    said = {name: _said_version(config.at(name)) for name in _PROJECTS if plugins == 1}
    best = max(said, key=lambda name: _order(said[name]), default="")
    highest = max((_order(each.version) for each in found), default=[])
    return best if best and said[best] and _order(said[best]) >= highest else MANIFEST_VERSION


def _named_files(config: BuildConfig, folders: list[str]) -> list[str]:
    """Files that say a version of the only plugin and are in no folder of it, or are of programs unknown here."""
    if len(folders) > 1:
        return []
    listed = version_places(config, dict.fromkeys(folders, ""), {})
    known, said = {each.path for each in listed}, {each.version for each in listed}
    others = [folder for each in marketplaces_in(config.folder) for folder in plugin_folders(config.folder, each)]
    found: dict[str, None] = {}
    for folder in dict.fromkeys((*folders, config.folder, *others)):
        unknown = [f"{each.name}/plugin.json" for each in entries(folder) if _LIKE_A_MANIFEST.fullmatch(each.name)]
        formats = [each.manifest for each in all_formats() if each.manifest.endswith(".json")]
        for name in dict.fromkeys((*(each for each in formats if each not in _PROJECTS), *unknown)):
            path = os.path.join(folder, *name.split("/"))
            if path not in known and stays_inside(path, config.folder) and _said_version(path):
                found[os.path.relpath(path, config.folder).replace(os.sep, "/")] = None
    project = _PROJECTS[0]  # one of its own version may be about something else
    is_same = config.at(project) not in known and _said_version(config.at(project)) in said
    return [*found, *([project] if is_same else [])]


def _said_version(path: str) -> str:
    """Empty where the file is missing, is broken or says none."""
    try:
        return version_in(path)
    except PiscesError:
        return ""


def _order(version: str) -> list[int]:
    """The numbers of a version. What is behind a dash does not count."""
    return [int(each[:18]) for each in _NUMBERS.findall(version.partition("-")[0])]

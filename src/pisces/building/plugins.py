"""The plugins of a repository: one folder, those that the configuration lists, or those of its marketplace."""

from __future__ import annotations

import os

from pisces.building.config import BUILD_CONFIG, BuildConfig
from pisces.checking.marketplace import marketplaces_in, plugin_folders
from pisces.converting.marketplace import plugins_in
from pisces.converting.names import slug, unique
from pisces.converting.reading import read_plugin
from pisces.diagnostics import PiscesError
from pisces.formats.path_glob import path_glob_matches
from pisces.value import Value

_ARCHIVES = (".tar.gz", ".zip")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.reading import ReadPlugin
    from pisces.diagnostics import Diagnostic
    from pisces.places import Places


class BuildPlugin(Value):
    """`subfolder` is its own in every output and in the overlays; empty where it is the only plugin."""

    folder: str
    name: str
    subfolder: str
    read: ReadPlugin

    def inside(self, *parts: str) -> str:
        return os.path.join(*(part for part in (*parts, self.subfolder) if part))


def plugins_of(config: BuildConfig, places: Places) -> tuple[list[BuildPlugin], list[Diagnostic]]:
    """In the order in which they are listed, and what could not be read. `PiscesError` where no folder is a plugin."""
    names = _names(config, places)
    places_of = [(folder, one) for folder in plugin_places(config) for one in names.get(folder, [(folder, "")])]
    is_alone = isinstance(config.source, str) and [each[0] for each in places_of] == [config.at(config.source)]
    found: list[BuildPlugin] = []
    unread: list[Diagnostic] = []
    for folder, (root, name) in places_of:
        try:
            read = _without_results(read_plugin(root, places, config.format, plugin=name), config)
        except PiscesError as error:
            if len(places_of) == len(unread) + 1:
                raise
            unread.append(error.diagnostic)  # one of several does not stop the others
            continue
        own = unique(slug(read.plugin.name), [each.name for each in found])
        found.append(BuildPlugin(folder, own, "" if is_alone else own, read))
    return found, unread


def _names(config: BuildConfig, places: Places) -> dict[str, list[tuple[str, str]]]:
    """For each folder that a marketplace lists, the marketplace's folder and the names that it has for what is there.

    An entry of a marketplace can be all that a plugin has of a manifest, and several can share a folder.
    """
    sources = (config.source,) if isinstance(config.source, str) else config.source
    found: dict[str, list[tuple[str, str]]] = {}
    for root in dict.fromkeys((config.folder, *map(config.at, sources))):
        for each in plugins_in(root, places):
            if each.folder and all(name != each.name for _, name in found.get(each.folder, ())):
                found.setdefault(each.folder, []).append((root, each.name))
    return found


def plugin_places(config: BuildConfig) -> list[str]:
    """The folders of plugins: each source, or what lies in it by the marketplaces that it has."""
    sources = (config.source,) if isinstance(config.source, str) else config.source
    found: dict[str, None] = {}
    for source in sources:
        root = config.at(source)
        if not os.path.isdir(root):
            raise PiscesError(BUILD_CONFIG.at(config.path, f"there is no folder `{source}`", hint="`source` names it"))
        listed = [each for each in _listed(root, config.format) if not _is_result(each, config)]
        found.update(dict.fromkeys(listed or [root]))
    return list(found)


def _listed(root: str, wanted: str | None) -> list[str]:
    """By the marketplaces of the format that is asked for, else by all: each harness may have one of its own."""
    markets = list(marketplaces_in(root))
    chosen = [each for each in markets if each.format == wanted] or markets
    return [folder for each in chosen for folder in plugin_folders(root, each)]


def _without_results(read: ReadPlugin, config: BuildConfig) -> ReadPlugin:
    """What a build writes, its overlays and its configuration are no part of the plugin that they lie in."""
    plugin = read.plugin
    gone = {each.path for each in plugin.files if _is_left_out(os.path.join(read.folder, each.path), config)}
    skills = (each.replace(files=tuple(path for path in each.files if path not in gone)) for each in plugin.skills)
    files = tuple(each for each in plugin.files if each.path not in gone)
    return read.replace(plugin=plugin.replace(files=files, skills=tuple(skills)))


def _is_left_out(path: str, config: BuildConfig) -> bool:
    relative = path[len(config.folder) :].lstrip(os.sep).replace(os.sep, "/")
    if path == config.path or _is_result(path, config):
        return True
    if path.endswith(_ARCHIVES) and os.path.dirname(path) in config.releases:
        return True  # each build would hold those of the one before
    return any(path_glob_matches(each, relative) for each in config.exclude)


def _is_result(path: str, config: BuildConfig) -> bool:
    return any(path == each or path.startswith(each + os.sep) for each in config.results)

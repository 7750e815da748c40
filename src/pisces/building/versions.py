"""Where a repository says its version: manifests of plugins, entries of marketplaces, and files that the author names.

An edit changes the bytes of the version and no other: order, spaces and comments stay. A place that says no version
gets none, because that can mean something: some programs then go by the commit.
"""

from __future__ import annotations

import os

from pisces.building.config import BUILD_CONFIG, BuildConfig
from pisces.checking.marketplace import marketplaces_in
from pisces.diagnostics import PiscesError
from pisces.discovery.containment import lies_in, stays_inside
from pisces.discovery.package_format import all_formats
from pisces.files import Unreadable, read_bytes
from pisces.formats import jsonc
from pisces.formats.malformed import Malformed, place_at
from pisces.formats.path_glob import path_glob_matches
from pisces.formats.position import json_value_span
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from pisces.checking.marketplace import Marketplace

    Keys = tuple[str | int, ...]


class VersionPlace(Value):
    """A version in a JSON file; `folder` is the plugin that it is about, empty for the whole repository."""

    path: str
    keys: Keys
    version: str
    line: int
    folder: str

    @property
    def pointer(self) -> str:
        return "".join(f"/{each}" for each in self.keys)


class VersionedFile(Value):
    """A file with the version in it: what it is, and what it will be."""

    path: str
    before: bytes
    after: bytes
    places: tuple[VersionPlace, ...]


def version_places(config: BuildConfig, folders: Mapping[str, str], outs: Mapping[str, str]) -> list[VersionPlace]:
    """Each place once. `folders` has the manifest that each plugin is read by, which comes first.

    `outs` has the plugin of each output: a marketplace may list what is built.
    """
    listed = {**{each: each for each in folders}, **outs}
    found = _Places(config, folders)
    for folder, manifest in folders.items():
        for path in _manifests(folder, manifest):
            found.note(path, ("version",), folder)
    sources = (config.source,) if isinstance(config.source, str) else config.source
    for root in dict.fromkeys((config.folder, *map(config.at, sources))):
        for marketplace in marketplaces_in(root):
            for keys, folder in _entries(root, marketplace, listed):
                found.note(marketplace.path(root), keys, folder)
    for named in config.version_files:
        found.note_named(named)
    return found.places


class _Places:
    """Gathers places, each once, in the order in which they are written."""

    def __init__(self, config: BuildConfig, folders: Mapping[str, str]) -> None:
        self._config = config
        self._folders = folders
        self._found: dict[tuple[str, Keys], VersionPlace] = {}

    @property
    def places(self) -> list[VersionPlace]:
        return list(self._found.values())

    def note(self, path: str, keys: Keys, folder: str) -> None:
        if (path, keys) in self._found or self._is_left_alone(path) or not stays_inside(path, self._config.folder):
            return
        value = _at(_values(path), keys)
        if isinstance(value, str):
            text = _text(path)
            span = json_value_span(text, keys)
            line = place_at(text, span[0])[0] if span else 0
            self._found[path, keys] = VersionPlace(path, keys, value, line, folder)

    def note_named(self, named: str) -> None:
        """`FILE` or `FILE#/pointer`, which the author names: one that is not there is a mistake."""
        name, _, pointer = named.partition("#")
        path = self._config.at(name)
        values = _values(path)
        keys = _keys(values, pointer or "/version")
        if not isinstance(_at(values, keys), str):
            message = f"there is no version at `{pointer or '/version'}` of `{name}`"
            hint = "`version-files` names JSON files, and with `#/a/b` a place in one"
            raise PiscesError(BUILD_CONFIG.at(self._config.path, message, hint=hint))
        inside = [each for each in self._folders if lies_in(path, each)]
        self.note(path, keys, max(inside, key=len, default=""))

    def _is_left_alone(self, path: str) -> bool:
        relative = os.path.relpath(path, self._config.folder).replace(os.sep, "/")
        return any(path_glob_matches(each.removeprefix("./"), relative) for each in self._config.version_except)


def wanted_versions(folders: Iterable[str], places: Iterable[VersionPlace], declared: str) -> dict[str, str]:
    """The version that each folder should have, and the whole repository, where one is known.

    Without a declared one, a plugin has the version of the first place that says one: its manifest comes first.
    """
    made = {each: declared for each in folders if declared}
    for place in places:
        if place.folder:
            made.setdefault(place.folder, place.version)
    whole = declared or (next(iter(made.values())) if len(made) == 1 else "")
    return {**made, **({"": whole} if whole else {})}


def versioned_files(places: Iterable[VersionPlace], versions: Mapping[str, str]) -> list[VersionedFile]:
    """The files that have another version than they should, with the edit. `versions` has that of each folder."""
    by_path: dict[str, list[VersionPlace]] = {}
    for place in places:
        by_path.setdefault(place.path, []).append(place)
    made = []
    for path, inside in by_path.items():
        wrong = [each for each in inside if versions.get(each.folder, each.version) != each.version]
        if wrong:
            before = read_bytes(path)
            made.append(VersionedFile(path, before, _edited(before, wrong, versions), tuple(wrong)))
    return made


def _edited(before: bytes, places: list[VersionPlace], versions: Mapping[str, str]) -> bytes:
    """The text with other versions, from the last place to the first, so that offsets hold."""
    text = before.decode("utf-8", "surrogateescape")
    spans = [(json_value_span(text, each.keys), versions[each.folder]) for each in places]
    for span, version in sorted((each for each in spans if each[0]), reverse=True):
        if span:
            text = f'{text[: span[0]]}"{version}"{text[span[1] :]}'
    return text.encode("utf-8", "surrogateescape")


def _manifests(folder: str, first: str) -> list[str]:
    """Every manifest of any format in a folder, that by which the plugin is read before the others."""
    names = [first] if first else []
    for each in all_formats():
        if each.manifest.endswith(".json") and each.fits(folder):
            names += [each.manifest, *each.other_manifests]
    return [os.path.join(folder, *name.split("/")) for name in dict.fromkeys(names) if name.endswith(".json")]


def _entries(root: str, marketplace: Marketplace, listed: Mapping[str, str]) -> Iterator[tuple[Keys, str]]:
    values = _values(marketplace.path(root))
    for keys, source in marketplace.sources(values) if isinstance(values, dict) else ():
        folder = os.path.normpath(os.path.join(root, source))
        if folder in listed:
            yield (*keys[:2], "version"), listed[folder]


def _keys(values: Any, pointer: str) -> Keys:
    keys: list[str | int] = []
    for part in pointer.removeprefix("/").split("/"):
        inside = _at(values, tuple(keys))
        name = part.replace("~1", "/").replace("~0", "~")
        keys.append(int(name) if isinstance(inside, list) and name.isascii() and name.isdigit() else name)
    return tuple(keys)


def _at(values: Any, keys: Keys) -> Any:
    for key in keys:
        if isinstance(values, list) and isinstance(key, int) and key < len(values):
            values = values[key]
        else:
            values = values.get(key) if isinstance(values, dict) else None
    return values


def _text(path: str) -> str:
    try:
        return read_bytes(path).decode("utf-8", "surrogateescape")
    except Unreadable:
        return ""


def _values(path: str) -> Any:
    try:
        return jsonc.parse_lenient(_text(path))
    except Malformed:
        return None

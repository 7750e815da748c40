"""A marketplace: a file that lists plugins. `harnesses/<id>/marketplaces.py` exports `MARKETPLACES`, one a file."""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called
from pisces.checking.lint import Flaw, Flaws
from pisces.checking.pages import Pages
from pisces.diagnostics import Diagnostic, Diagnostics, Rule
from pisces.discovery.config_file import JSON, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import HARNESSES, Run
from pisces.formats.fit import misfits
from pisces.formats.json import JsonObject
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pisces.shapes.field import Keys


class Marketplace(Value):
    """`file` is relative to the marketplace's folder; `format` is how a plugin without a manifest is read.

    `flaws` are all that the harness refuses in the file; the second argument is the marketplace's folder. `sources` are
    the plugins in that folder: the keys of each and its relative path.
    """

    harness: str
    file: str
    format: str
    flaws: Callable[[JsonObject, str], Flaws]
    sources: Callable[[JsonObject], Iterator[tuple[Keys, str]]]

    def path(self, folder: str) -> str:
        return os.path.join(folder, *self.file.split("/"))

    def folder(self, path: str) -> str:
        """The folder of the marketplace whose file is at this path."""
        for _ in self.file.split("/"):
            path = os.path.dirname(path)
        return path


def marketplaces_in(folder: str) -> Iterator[Marketplace]:
    for harness in files_called(HARNESSES, "marketplaces"):
        for marketplace in export_of(harness, "marketplaces", "MARKETPLACES"):
            if os.path.isfile(marketplace.path(folder)) and _lists_plugins(folder, marketplace):
                yield marketplace


def _lists_plugins(folder: str, marketplace: Marketplace) -> bool:
    """A file at the top of a folder may be anything; in a folder of its harness it is a marketplace by its name."""
    values = None if "/" in marketplace.file else Pages().json(marketplace.path(folder))
    return "/" in marketplace.file or (isinstance(values, dict) and {"name", "owner", "plugins"} <= set(values))


def plugin_folders(folder: str, marketplace: Marketplace) -> Iterator[str]:
    """The plugins that lie in the marketplace's own folder and exist."""
    values = Pages().json(marketplace.path(folder))
    for _, source in marketplace.sources(values) if isinstance(values, dict) else ():
        path = os.path.normpath(os.path.join(folder, source))
        if os.path.isdir(path) and stays_inside(path, folder):
            yield path


def marketplace_problems(path: str, marketplace: Marketplace, pages: Pages) -> Diagnostics:
    """What the marketplace's harness refuses in its file."""
    file = config_at(path, JSON, Run())
    if isinstance(file, Diagnostic):
        yield file
    elif file is not None and not isinstance(file.value, dict):
        yield file.not_object()
    elif file is not None:
        for flaw in marketplace.flaws(file.value, marketplace.folder(path)):
            place = pages.json_place(path, flaw.keys)
            yield flaw.rule.at(path, flaw.message, place=place, hint=flaw.hint, about=flaw.about)


def listed_sources(values: JsonObject) -> Iterator[tuple[Keys, str]]:
    """The relative paths of a list `plugins`, with their keys: `source`, or below `metadata.pluginRoot` a bare name."""
    metadata = values.get("metadata")
    root = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    plugins = values.get("plugins")
    for index, entry in enumerate(plugins if isinstance(plugins, list) else ()):
        source = entry.get("source") if isinstance(entry, dict) else None
        if isinstance(source, str):
            bare = isinstance(root, str) and not source.startswith(".")
            yield ("plugins", index, "source"), f"{root}/{source}" if bare else source


def shape_flaws(values: JsonObject, shape: Any, rule: Rule, unknown: Rule | None = None) -> Flaws:
    """Everything in which a marketplace differs from a shape. With `unknown`, keys that it lacks, each key once."""
    seen: set[Keys] = set()
    for misfit in misfits(values, shape):
        kind = tuple(key for key in misfit.path if isinstance(key, str))
        if not misfit.unknown or unknown is None:
            where = f"`{'.'.join(map(str, misfit.path))}` " if misfit.path and not misfit.unknown else ""
            message = f"{where}{misfit.message}" if where or misfit.unknown else f"it {misfit.message}"
            yield Flaw(rule, misfit.path, message)
        elif kind not in seen:
            seen.add(kind)
            yield Flaw(unknown, misfit.path, f"`{'.'.join(kind)}` is not in the schema")


def missing_sources(values: JsonObject, folder: str, marketplace: Marketplace, rule: Rule) -> Flaws:
    for keys, source in marketplace.sources(values):
        path = os.path.normpath(os.path.join(folder, source))
        if not os.path.isdir(path) and stays_inside(path, folder):
            yield Flaw(rule, keys, f"there is no folder `{source}`", about=source)


def names_listed_twice(values: JsonObject, rule: Rule) -> Flaws:
    plugins, seen = values.get("plugins"), set()
    for index, entry in enumerate(plugins if isinstance(plugins, list) else ()):
        name = entry.get("name") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in seen:
            yield Flaw(rule, ("plugins", index, "name"), f"`{name}` is listed twice", about=name)
        elif isinstance(name, str):
            seen.add(name)

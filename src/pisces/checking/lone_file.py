"""A single file that belongs to no package: harnesses say by its name, place and content how they would read it.

`harnesses/<id>/lone_files.py` exports `reading(file) -> Reading | None`; the reading with the highest weight counts.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called
from pisces.checking.pages import Pages
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.found import PROJECT, Found
from pisces.discovery.harness import HARNESSES, FinderOptions, Run, Where, passed_on
from pisces.formats.json import JsonObject
from pisces.places import Places
from pisces.shapes.context_file import ContextFile
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

NOTHING_TO_CHECK = Rule("nothing-to-check", ERROR, "There is nothing to check")

# Weights of readings. Smaller weights are guesses.
BY_NAME = 30_000  # no other file has this name
BY_CONTENT = 20_000  # no other file has this content
BY_PLACE = 10_000  # the file is in the harness's own folder


class LoneFile(Value):
    path: str
    pages: Pages

    @property
    def name(self) -> str:
        return os.path.basename(self.path)

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)

    @property
    def hooks(self) -> JsonObject | None:
        """The hooks in a JSON file, by event; empty for a `hooks.json` without any, None for every other file."""
        values = self.json
        hooks = values.get("hooks") if isinstance(values, dict) else None
        return hooks if isinstance(hooks, dict) else {} if self.name == "hooks.json" else None

    @property
    def json(self) -> Any:
        return self.pages.json(self.path) if self.name.endswith(".json") else None

    def above(self, name: str) -> str:
        """The nearest folder of this name that contains the file."""
        folder = self.folder
        while os.path.basename(folder):
            if os.path.basename(folder) == name:
                return folder
            folder = os.path.dirname(folder)
        return ""

    def by_place(self, name: str) -> int:
        """The weight of a reading for files below a folder of this name: the nearest such folder counts."""
        folder = self.above(name)
        return BY_PLACE + len(folder) if folder else 0


class Reading(Value):
    """What the file holds, and the finder with the path that it is given; a context file needs no finder."""

    capability: str
    options: FinderOptions | None
    at: str
    weight: int = 0


def read_alone(path: str, places: Places, pages: Pages) -> tuple[str, str, list[Found | Diagnostic]]:
    """The harness that reads the file, the capability, and what was found; both are empty where nobody reads it."""
    harness, reading = max(_readings(LoneFile(path, pages)), key=lambda each: each[1].weight, default=("", None))
    if reading is None:
        message = "no harness loads a file of this name from this place"
        return "", "", [NOTHING_TO_CHECK.at(path, message, hint="pisces check FOLDER looks at a whole package")]
    where = Where(places, Run(), reading.capability, harness, "", PROJECT, reading.at)
    if reading.options is None:
        return harness, reading.capability, [where.found(ContextFile(path, PROJECT))]
    found = passed_on(where, reading.options, reading.at)
    return harness, reading.capability, [each for each in found if _path_of(each) == path]


class NamedFiles:
    """The files whose names say whose they are, wherever they lie.

    `SUFFIXES` of a `lone_files.py` are ends of such names, `NAMES` are whole ones; its `reading` has the last word.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: list[tuple[tuple[str, ...], tuple[str, ...], Callable[[LoneFile], Reading | None]]] = []
        for folder in files_called(HARNESSES, "lone_files"):
            module = __import__(f"{folder}.lone_files", fromlist=["reading"])
            suffixes, names = getattr(module, "SUFFIXES", ()), getattr(module, "NAMES", ())
            if suffixes or names:
                self._known.append((suffixes, names, module.reading))

    def has(self, path: str) -> bool:
        name = os.path.basename(path)
        return any(
            (name.endswith(suffixes) or name in names) and reading(LoneFile(path, Pages())) is not None
            for suffixes, names, reading in self._known
        )


def _readings(file: LoneFile) -> Iterator[tuple[str, Reading]]:
    for folder in files_called(HARNESSES, "lone_files"):
        reading: Reading | None = export_of(folder, "lone_files", "reading")(file)
        if reading is not None:
            yield export_of(HARNESSES, folder.rpartition(".")[2], "HARNESS").id, reading


def _path_of(each: Found | Diagnostic) -> str:
    return each.path if isinstance(each, Diagnostic) else each.source.path

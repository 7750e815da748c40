"""Themes in a Gemini manifest. Gemini CLI checks the length of the name and nothing else."""

from __future__ import annotations

import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.formats.json import JsonObject
from pisces.formats.variables import strings_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

THEME_NAME = Rule("theme-name", ERROR, "A theme has no usable name")
THEME_TWICE = Rule("theme-twice", WARNING, "Two themes have one name")
THEME_COLOUR = Rule("theme-colour", WARNING, "A colour that is not one")

_LONGEST = 50
_COLOUR = re.compile(r"(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]*)", re.IGNORECASE)
_NO_COLOURS = ("name", "type")


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest is None or not isinstance(manifest[1].get("themes"), list):
        return
    path, values = manifest
    pages = subject.pages
    names: set[str] = set()
    for index, theme in enumerate(values["themes"]):
        if not isinstance(theme, dict):
            continue
        at = ("themes", index)
        name = theme.get("name")
        if flaw := _name_flaw(name):
            yield THEME_NAME.at(path, flaw, place=pages.json_place(path, (*at, "name")))
        elif name in names:
            yield THEME_TWICE.at(path, f"another theme is called `{name}`", place=pages.json_place(path, (*at, "name")))
        names.add(str(name))
        for keys, colour in _odd_colours(theme):
            yield THEME_COLOUR.at(path, f"`{colour}` is not a colour", place=pages.json_place(path, (*at, *keys)))


def _name_flaw(name: object) -> str:
    if not isinstance(name, str) or not name.strip():
        return "a theme needs a `name`"
    return "" if len(name.strip()) <= _LONGEST else f"the name has {len(name)} characters, more than {_LONGEST}"


def _odd_colours(theme: JsonObject) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for keys, value in strings_in(theme):
        if keys[0] not in _NO_COLOURS and not _COLOUR.fullmatch(value):
            yield keys, value


LINT = Lint("the themes of a Gemini extension", _find, "gemini")

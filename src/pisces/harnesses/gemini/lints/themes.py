"""Themes in a Gemini manifest. Gemini CLI checks the length of the name and nothing else."""

from __future__ import annotations

import re

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.formats.json import JsonObject
from pisces.formats.variables import strings_in

THEME_NAME = Rule("theme-name", ERROR, "A theme has no usable name")
THEME_TWICE = Rule("theme-twice", WARNING, "Two themes have one name")
THEME_COLOUR = Rule("theme-colour", WARNING, "A colour that is not one")

_LONGEST = 50
_COLOUR = re.compile(r"(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]*)", re.IGNORECASE)
_NO_COLOURS = ("name", "type")


def _flaws(manifest: JsonObject) -> Flaws:
    themes = manifest.get("themes")
    names: set[str] = set()
    for index, theme in enumerate(themes if isinstance(themes, list) else ()):
        if not isinstance(theme, dict):
            continue
        name, at = theme.get("name"), ("themes", index)
        if flaw := _name_flaw(name):
            yield Flaw(THEME_NAME, (*at, "name"), flaw)
        elif name in names:
            yield Flaw(THEME_TWICE, (*at, "name"), f"another theme is called `{name}`")
        names.add(str(name))
        for keys, value in strings_in(theme):
            if keys[0] not in _NO_COLOURS and not _COLOUR.fullmatch(value):
                yield Flaw(THEME_COLOUR, (*at, *keys), f"`{value}` is not a colour")


def _name_flaw(name: object) -> str:
    if not isinstance(name, str) or not name.strip():
        return "a theme needs a `name`"
    return "" if len(name.strip()) <= _LONGEST else f"the name has {len(name)} characters, more than {_LONGEST}"


LINT = manifest_lint("the themes of a Gemini extension", _flaws, "gemini")

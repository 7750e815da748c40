"""Themes in a Gemini manifest: duplicates and colours. The finder reports names."""

from __future__ import annotations

import re

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.diagnostics import WARNING, Rule
from pisces.formats.json import JsonObject
from pisces.formats.variables import strings_in

THEME_TWICE = Rule("theme-twice", WARNING, "Two themes have one name")
THEME_COLOUR = Rule("theme-colour", WARNING, "A colour that is not one")

_COLOUR = re.compile(r"(?:#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]*)", re.IGNORECASE)
_NO_COLOURS = ("name", "type")


def _flaws(manifest: JsonObject) -> Flaws:
    themes = manifest.get("themes")
    names: set[str] = set()
    for index, theme in enumerate(themes if isinstance(themes, list) else ()):
        if not isinstance(theme, dict):
            continue
        name, at = theme.get("name"), ("themes", index)
        if isinstance(name, str) and name in names:
            yield Flaw(THEME_TWICE, (*at, "name"), f"another theme is called `{name}`")
        names.add(str(name))
        for keys, value in strings_in(theme):
            if keys[0] not in _NO_COLOURS and not _COLOUR.fullmatch(value):
                yield Flaw(THEME_COLOUR, (*at, *keys), f"`{value}` is not a colour")


LINT = manifest_lint("the themes of a Gemini extension", _flaws, "gemini")

"""Colour themes as Gemini CLI registers them: of a package as `name (package)`, of its settings under their key.

Only a name is checked: after trimming it has 1 to 50 units. A theme without one is taken all the same, and a later
theme replaces one of the same name. A theme whose colour for code is no text is lost.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import JSONC, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.formats.fit import noun_of
from pisces.formats.js_text import trimmed
from pisces.harnesses.gemini import Themes
from pisces.shapes.field import Keys
from pisces.shapes.theme import Theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

THEME_NAME = Rule("theme-name", ERROR, "A theme has no usable name")
THEME_BROKEN = Rule("theme-broken", ERROR, "A theme cannot be made of these colours")

_LONGEST = 50
_FOR_CODE = {
    "text": ("primary", "link", "accent"),
    "status": ("success", "warning", "error"),
    "ui": ("comment",),
}


def find(where: Where[Themes]) -> FinderResults:
    path = os.path.join(where.package.path, where.options.manifest) if where.package else where.path
    file = config_at(path, JSONC, where.run)
    if not isinstance(file, ConfigFile):  # the finder of the manifest or of the settings has reported it
        return
    taken: dict[str, Theme] = {}
    for name, keys, theme in _written(file, where):
        flaw = _flaw(file, keys, theme)
        if flaw:
            yield flaw.replace(about=name)
        if not flaw or flaw.severity == WARNING:
            taken[name] = Theme(name, path, theme, keys)
    yield from map(where.found, taken.values())


def _written(file: ConfigFile, where: Where[Themes]) -> Iterator[tuple[str, Keys, dict[str, Any]]]:
    """Each theme with the name under which it is registered."""
    if where.package:
        listed = where.package.manifest.get("themes")  # with its variables filled in
        for index, theme in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(theme, dict):
                yield f"{_as_text(theme)} ({where.package.name})", ("themes", index), theme
        return
    table = file.part(("ui", "customThemes"))
    for key, theme in table.items() if isinstance(table, dict) else ():
        if isinstance(theme, dict):
            yield key, ("ui", "customThemes", key), theme


def _as_text(theme: dict[str, Any]) -> str:
    """The name as JavaScript writes it into a text."""
    name = theme.get("name", "undefined")
    return "null" if name is None else str(name).lower() if isinstance(name, bool) else str(name)


def _flaw(file: ConfigFile, keys: Keys, theme: dict[str, Any]) -> Diagnostic | None:
    name, place = theme.get("name"), file.place(*keys, "name")
    if not name and keys[0] == "themes":
        message = f"a theme needs a `name`: this one is called `{_as_text(theme)}`"
        return THEME_NAME.at(file.path, message, place=place).replace(severity=WARNING)
    if name and not isinstance(name, str):
        return THEME_NAME.at(file.path, f"`name` must be text, not {noun_of(name)}", place=place)
    length = len(trimmed(name or "-").encode("utf-16-le", "surrogatepass")) // 2
    if not 0 < length <= _LONGEST:
        message = f"the name has {length} characters, more than {_LONGEST}" if length else "the name is blank"
        return THEME_NAME.at(file.path, f"{message}: the theme is not registered", place=place)
    for part, colours in _FOR_CODE.items():
        table = theme.get(part)
        for colour in colours if isinstance(table, dict) else ():
            value = table.get(colour) if isinstance(table, dict) else None
            if value and not isinstance(value, str):
                message = f"`{part}.{colour}` must be text, not {noun_of(value)}: the theme is lost"
                return THEME_BROKEN.at(file.path, message, place=file.place(*keys, part, colour))
    return None

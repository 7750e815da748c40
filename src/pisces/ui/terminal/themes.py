"""Colours of the terminal program by what they mean. A theme of a package is read into the same few names.

A theme can only choose colours: whatever else is in its file is ignored, and a colour that cannot be read is left out.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.formats.json_file import object_at
from pisces.formats.visible import visible
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.theme import Theme

DARK, LIGHT, NONE = "dark", "light", "none"
_RESET = "\x1b[0m"
_HEX = re.compile(r"#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_NAMED = dict(zip("black red green yellow blue magenta cyan white".split(), range(30, 38), strict=True))
_GREYS = {"gray": 90, "grey": 90}
_STYLE = re.compile(r"[0-9;]{0,40}\Z")
_MEANINGS = frozenset("text dim accent good bad warn code bold border added removed".split())
_DEPTH = 8  # how far a name in a theme may lead to another name


class Palette(Value):
    """SGR parameters by meaning, as in `38;5;75`; empty for the terminal's own colour.

    `paint` is the only way that colours get onto the screen, so an empty palette is one without colours.
    """

    name: str
    text: str = ""
    dim: str = ""
    accent: str = ""
    good: str = ""
    bad: str = ""
    warn: str = ""
    code: str = ""
    bold: str = ""
    border: str = ""
    added: str = ""
    removed: str = ""
    is_light: bool = False

    def paint(self, text: str, meaning: str) -> str:
        """`text` must be safe already: nothing in it is escaped here."""
        style: str = getattr(self, meaning)
        return f"\x1b[{style}m{text}{_RESET}" if style and text else text


PLAIN = Palette(NONE)
_DARK = Palette(DARK, "", "2", "36", "32", "31", "33", "36", "1", "2", "32", "31")
_LIGHT = Palette(LIGHT, "", "90", "34", "32", "31", "35", "34", "1", "90", "32", "31", is_light=True)

# Where each meaning is found in a theme: flat names, then a path of keys. Files of two programs, both in wide use.
_WHERE: Mapping[str, Sequence[str]] = {
    "text": ("text.primary", "text", "Foreground"),
    "dim": ("text.secondary", "dim", "muted", "Gray", "Comment"),
    "accent": ("text.accent", "accent", "AccentPurple", "AccentBlue"),
    "good": ("status.success", "success", "AccentGreen"),
    "bad": ("status.error", "error", "AccentRed"),
    "warn": ("status.warning", "warning", "AccentYellow"),
    "code": ("text.link", "mdCode", "AccentCyan", "syntaxString"),
    "border": ("border.default", "border", "Gray"),
    "added": ("toolDiffAdded", "status.success", "AccentGreen"),
    "removed": ("toolDiffRemoved", "status.error", "AccentRed"),
}


def palette_named(name: str, themes: Iterable[Theme] = (), env: Mapping[str, str] | None = None) -> Palette | None:
    """None where no theme has this name. `NO_COLOR` and a terminal that has no colours leave only `none`."""
    env = env or {}
    if env.get("NO_COLOR") or env.get("TERM") == "dumb":
        return PLAIN
    built_in = {DARK: _DARK, LIGHT: _LIGHT, NONE: PLAIN}
    if name in built_in:
        return built_in[name]
    found = next((each for each in themes if each.name == name), None)
    return None if found is None else palette_of(found)


def default_palette(env: Mapping[str, str]) -> Palette:
    """By what the terminal says of its background, where it says something."""
    background = env.get("COLORFGBG", "").rpartition(";")[2]
    is_light = background.isdigit() and (int(background) == 7 or 9 <= int(background) <= 15)
    return palette_named(LIGHT if is_light else DARK, (), env) or PLAIN


def chosen_palette(places: Places) -> Palette:
    """The one that was chosen last, else by what the terminal says. The theme's own file is not needed for it."""
    default = default_palette(places.env)
    stored = object_at(_file(places)).get("palette")
    if default is PLAIN or not isinstance(stored, dict):
        return default
    styles = {key: value for key, value in stored.items() if key in _MEANINGS and _is_style(value)}
    name = stored.get("name")
    if not isinstance(name, str):
        return default
    return Palette(visible(name), **styles, is_light=stored.get("is_light") is True)


def remember_palette(palette: Palette, places: Places) -> None:
    """Raises `OSError`."""
    fields = {key: getattr(palette, key) for key in ("name", "is_light", *_MEANINGS)}
    data = export_of("json", "encoder", "JSONEncoder")(indent=1).encode({"palette": fields}).encode()
    os.makedirs(places.agent_dir, exist_ok=True)
    export_of("pisces", "atomic", "write_atomically")(_file(places), data, 0o600)


def _file(places: Places) -> str:
    return os.path.join(places.agent_dir, "terminal.json")


def _is_style(value: object) -> bool:
    return isinstance(value, str) and _STYLE.match(value) is not None


def palette_of(theme: Theme) -> Palette:
    """What the theme leaves out is as in the dark or the light one of ours."""
    colours = theme.fields.get("colors")
    fields = {**theme.fields, **colours} if isinstance(colours, dict) else theme.fields
    names = theme.fields.get("vars")
    is_light = str(theme.fields.get("type", "")).lower() == LIGHT or LIGHT in theme.name.lower()
    start = _LIGHT if is_light else _DARK
    named = names if isinstance(names, dict) else {}
    found = {meaning: _style(fields, paths, named) for meaning, paths in _WHERE.items()}
    return start.replace(name=visible(theme.name), **{meaning: style for meaning, style in found.items() if style})


def found_themes(found: Iterable[Found[Theme]]) -> tuple[Theme, ...]:
    """Those with a name that is not one of ours."""
    return tuple(each.item for each in found if each.item.name not in (DARK, LIGHT, NONE))


def names_of_themes(themes: Iterable[Theme]) -> tuple[str, ...]:
    return (DARK, LIGHT, NONE, *dict.fromkeys(each.name for each in themes))


def _style(fields: Mapping[str, Any], paths: Sequence[str], names: Mapping[str, Any]) -> str:
    for path in paths:
        style = colour_style(_at(fields, path), names)
        if style:
            return style
    return ""


def _at(fields: Mapping[str, Any], path: str) -> Any:
    value: Any = fields
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def colour_style(value: Any, names: Mapping[str, Any]) -> str:
    """`#abc`, `#aabbcc`, a number of 256, a name of a colour, or a name in `names`."""
    for _ in range(_DEPTH):
        if isinstance(value, str) and value in names:
            value = names[value]
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 255:
        return f"38;5;{value}"
    if not isinstance(value, str):
        return ""
    lower = value.lower().removeprefix("ansi:")
    if lower in _GREYS:
        return str(_GREYS[lower])
    if lower in _NAMED:
        return str(_NAMED[lower])
    if lower.startswith("bright") and lower[6:].lstrip("-_") in _NAMED:
        return str(_NAMED[lower[6:].lstrip("-_")] + 60)
    digits = _HEX.match(value)
    if digits is None:
        return ""
    text = digits[1] if len(digits[1]) != 3 else "".join(each * 2 for each in digits[1])
    return "38;2;" + ";".join(str(int(text[at : at + 2], 16)) for at in (0, 2, 4))

"""Themes: colours for the terminal."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
Two themes with the same accents, for a dark and for a light terminal. Colours are `#rgb`, `#rrggbb` or names; what is
left out comes from the default theme. In the list they appear with the extension's name behind theirs.

Try it: `pisces check .`, then `gemini extensions link .` and `/theme`
"""

_DARK = {
    "name": "Harbour Night",
    "type": "custom",
    "background": {"primary": "#10171e", "diff": {"added": "#12351f", "removed": "#3d1b1f"}},
    "text": {"primary": "#d7dee5", "secondary": "#8a98a5", "link": "#6cb6ff", "accent": "#4cc2b0"},
    "border": {"default": "#33424f"},
    "status": {"success": "#5fbf77", "warning": "#e0b350", "error": "#e5706b"},
    "ui": {"comment": "#71808d", "symbol": "#9fb3c4", "gradient": ["#4cc2b0", "#6cb6ff"]},
}
_LIGHT = {
    "name": "Harbour Day",
    "type": "custom",
    "background": {"primary": "#fbfaf7", "diff": {"added": "#d8f0dd", "removed": "#f7dcdb"}},
    "text": {"primary": "#1f2a33", "secondary": "#5b6872", "link": "#0b62b5", "accent": "#0d7f70"},
    "border": {"default": "#c3cbd1"},
    "status": {"success": "#1f7a3a", "warning": "#8a5f00", "error": "#b3261e"},
    "ui": {"comment": "#6b7780", "symbol": "#41525f", "gradient": ["#0d7f70", "#0b62b5"]},
}

TEMPLATE = Template(
    "themes", "A dark and a light theme in the colours of a harbour", _GUIDE, {}, {"themes": [_DARK, _LIGHT]}
)

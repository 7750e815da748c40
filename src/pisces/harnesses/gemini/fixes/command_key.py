"""A key of a command file that Gemini CLI does not read, on a line of its own. Not safe: people may read it."""

from __future__ import annotations

from pisces.checking.fix import Fix, Spot, TextEdit
from pisces.checking.fixing import edited
from pisces.checking.key_fix import respelled
from pisces.formats import toml
from pisces.formats.malformed import Malformed
from pisces.harnesses.gemini.lints.commands import KEYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def fix(spot: Spot) -> Fix | None:
    values = spot.subject.pages.toml(spot.diagnostic.path)
    line, after = spot.text.rfind("\n", 0, spot.offset) + 1, spot.text.find("\n", spot.offset) + 1
    key = spot.text[spot.offset :].partition("=")[0].strip() if spot.offset >= 0 else ""
    if not isinstance(values, dict) or key not in values:
        return None
    rest = {name: value for name, value in values.items() if name != key}
    own = respelled(key, KEYS)
    if own and own not in values:
        edit, wanted = TextEdit(spot.offset, key, own), {**rest, own: values[key]}
    else:
        edit, wanted = TextEdit(line, spot.text[line : after or len(spot.text)], ""), rest
    title = f"write `{own}`" if wanted is not rest else f"remove `{key}`"
    return spot.fix(title, edit, safe=False) if _parsed(edited(spot.text, [edit])) == wanted else None


def _parsed(text: str) -> Any:
    try:
        return toml.parse(text)
    except Malformed:
        return None

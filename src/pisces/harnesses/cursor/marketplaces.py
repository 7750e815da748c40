"""The marketplaces of Cursor, `.cursor-plugin/marketplace.json`, by the schema that Cursor publishes (2026).

The schema is closed. Nothing says that Cursor refuses a file with other keys, so they are a note, each key once.
"""

from __future__ import annotations

from pisces.checking.lint import Flaws
from pisces.checking.marketplace import Marketplace, listed_sources, missing_sources, shape_flaws
from pisces.diagnostics import ERROR, NOTE, Rule
from pisces.formats.fit import TABLE, TEXT, Listed, Record
from pisces.formats.json import JsonObject
from pisces.harnesses.cursor.manifest_shape import CLIENTS, NAME

CURSOR_MARKETPLACE = Rule("cursor-marketplace", ERROR, "A marketplace that Cursor does not take")
CURSOR_MARKETPLACE_KEY = Rule("cursor-marketplace-key", NOTE, "A key that Cursor's schema of a marketplace lacks")

_ENTRY = Record({"name": NAME, "source": TEXT}, {"description": TEXT, "minClientVersions": CLIENTS}, closed=True)
_SHAPE = Record(
    {"name": TEXT, "plugins": Listed(_ENTRY)},
    {"owner": Record({"name": TEXT}, {"email": TEXT}, closed=True), "metadata": TABLE},
    closed=True,
)


def _flaws(values: JsonObject, folder: str) -> Flaws:
    yield from shape_flaws(values, _SHAPE, CURSOR_MARKETPLACE, CURSOR_MARKETPLACE_KEY)
    local = {**values, "plugins": [each for each in values.get("plugins") or () if "://" not in str(each)]}
    yield from missing_sources(local, folder, MARKETPLACES[0], CURSOR_MARKETPLACE)


MARKETPLACES = (Marketplace("cursor", ".cursor-plugin/marketplace.json", "cursor-plugin", _flaws, listed_sources),)

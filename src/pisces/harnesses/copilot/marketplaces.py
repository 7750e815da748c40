"""The marketplaces of the Copilot CLI, as its documentation of November 2026 has them.

Plugins in the same repository are named by a path, with or without `./`.
"""

from __future__ import annotations

from pisces.checking.lint import Flaws
from pisces.checking.marketplace import (
    Marketplace,
    listed_sources,
    missing_sources,
    names_listed_twice,
    shape_flaws,
)
from pisces.diagnostics import ERROR, Rule
from pisces.formats.fit import ANYTHING, TABLE, TEXT, Either, Listed, Record
from pisces.formats.json import JsonObject

COPILOT_MARKETPLACE = Rule("copilot-marketplace", ERROR, "A marketplace that the Copilot command line does not take")

_PATHS = Either((TEXT, Listed(TEXT)))
_ENTRY = Record(
    {"name": TEXT, "source": Either((TEXT, TABLE))},
    {
        **dict.fromkeys(("description", "version", "homepage", "repository", "license", "category"), TEXT),
        **dict.fromkeys(("keywords", "tags"), Listed(TEXT)),
        **dict.fromkeys(("commands", "agents", "skills"), _PATHS),
        **dict.fromkeys(("hooks", "mcpServers", "lspServers"), Either((TEXT, TABLE))),
        "author": Record({"name": TEXT}),
        "strict": ANYTHING,
    },
)
_SHAPE = Record({"name": TEXT, "owner": Record({"name": TEXT}), "plugins": Listed(_ENTRY)}, {"metadata": TABLE})


def _flaws(values: JsonObject, folder: str) -> Flaws:
    yield from shape_flaws(values, _SHAPE, COPILOT_MARKETPLACE)
    yield from names_listed_twice(values, COPILOT_MARKETPLACE)
    yield from missing_sources(values, folder, MARKETPLACES[0], COPILOT_MARKETPLACE)


MARKETPLACES = tuple(
    Marketplace("copilot", file, "copilot-plugin", _flaws, listed_sources)
    for file in ("marketplace.json", ".plugin/marketplace.json", ".github/plugin/marketplace.json")
)

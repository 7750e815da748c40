"""The marketplaces of Codex, `.agents/plugins/marketplace.json`, as its source reads them (August 2026)."""

from __future__ import annotations

from pisces.checking.lint import Flaw, Flaws
from pisces.checking.marketplace import Marketplace, missing_sources, names_listed_twice, shape_flaws
from pisces.diagnostics import ERROR, Rule
from pisces.formats.fit import ANYTHING, TEXT, Either, Listed, Record, misfits, one_of
from pisces.formats.json import JsonObject
from pisces.harnesses.codex.manifest_shape import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.shapes.field import Keys

CODEX_MARKETPLACE = Rule("codex-marketplace", ERROR, "A marketplace that Codex does not take")

_MAYBE = Either((TEXT, NOTHING))
_POLICY = Record(
    {},
    {
        "installation": one_of("NOT_AVAILABLE", "AVAILABLE", "INSTALLED_BY_DEFAULT"),
        "authentication": one_of("ON_INSTALL", "ON_USE"),
    },
)
_ENTRY = Record({"name": TEXT, "source": ANYTHING}, {"policy": _POLICY, "category": _MAYBE})
_INTERFACE = Either((Record({}, {"displayName": _MAYBE}), NOTHING))
_SHAPE = Record({"name": TEXT, "plugins": Listed(_ENTRY)}, {"interface": _INTERFACE})
_SOURCES = {
    "local": Record({"path": TEXT}),
    "url": Record({"url": TEXT}, dict.fromkeys(("path", "ref", "sha"), _MAYBE)),
    "git-subdir": Record({"url": TEXT, "path": TEXT}, dict.fromkeys(("ref", "sha"), _MAYBE)),
    "npm": Record({"package": TEXT}, dict.fromkeys(("version", "registry"), _MAYBE)),
}


def _sources(values: JsonObject) -> Iterator[tuple[Keys, str]]:
    plugins = values.get("plugins")
    for index, entry in enumerate(plugins if isinstance(plugins, list) else ()):
        source = entry.get("source") if isinstance(entry, dict) else None
        path = source.get("path") if isinstance(source, dict) and source.get("source") == "local" else source
        if isinstance(path, str):
            yield ("plugins", index, "source"), path


def _flaws(values: JsonObject, folder: str) -> Flaws:
    yield from shape_flaws(values, _SHAPE, CODEX_MARKETPLACE)
    plugins = values.get("plugins")
    for index, entry in enumerate(plugins if isinstance(plugins, list) else ()):
        if isinstance(entry, dict) and not _is_installed_from(entry.get("source", "")):
            message = f"the source of `{entry.get('name')}` is not one that Codex installs from"
            yield Flaw(CODEX_MARKETPLACE, ("plugins", index, "source"), message)
    yield from names_listed_twice(values, CODEX_MARKETPLACE)
    yield from missing_sources(values, folder, MARKETPLACES[0], CODEX_MARKETPLACE)


def _is_installed_from(source: object) -> bool:
    kind = source.get("source") if isinstance(source, dict) else None
    shape = _SOURCES.get(kind) if isinstance(kind, str) else None
    return isinstance(source, str) or (shape is not None and not any(misfits(source, shape)))


MARKETPLACES = (Marketplace("codex", ".agents/plugins/marketplace.json", "codex-plugin", _flaws, _sources),)

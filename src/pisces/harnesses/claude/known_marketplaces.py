"""The marketplaces that Claude Code knows here, and what they list.

`plugins/known_marketplaces.json` records those that were added. Settings may declare more (`extraKnownMarketplaces`): a
folder or file on this machine counts at once, anything else when it was fetched and recorded. One unusable record
leaves the others, with nothing but the copies of their plugins; records that cannot be read leave no marketplace at
all. The administrator can allow or block sources.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, MARKED, ConfigFile, config_at
from pisces.discovery.harness import Where
from pisces.discovery.state import REFUSED, State
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import marketplace_records
from pisces.harnesses.claude.locked import ASK
from pisces.harnesses.claude.settings import SettingHere, setting, settings_at
from pisces.harnesses.claude.trust import is_trusted, untrusted
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

LISTING = ".claude-plugin/marketplace.json"
_RECORD = {"source": dict, "installLocation": str, "lastUpdated": str}
_ON_THIS_MACHINE = ("directory", "file")


class KnownMarketplace(Value):
    """`folder` is what the sources of its plugins are relative to. `held` is why none of its plugins loads."""

    name: str
    source: Mapping[str, Any]
    folder: str
    listing: str
    held: State | None = None

    @property
    def is_local(self) -> bool:
        """Whether its plugins are read where they lie, not from copies."""
        return self.source.get("source") in _ON_THIS_MACHINE


def known_marketplaces(where: Where[WithSettings]) -> Mapping[str, KnownMarketplace]:
    key = ("claude-marketplaces", where.places.cwd, where.options.managed)
    return where.run.once(key, lambda: {each.name: each for each in _known(where)})


def record_flaw(file: ConfigFile) -> tuple[tuple[str, ...], str] | None:
    """Keys and message of the first record that Claude Code cannot use."""
    for name, record in file.value.items():
        if not isinstance(record, dict):
            return (name,), f"marketplace `{name}` is not an object"
        flaw = next((key for key, kind in _RECORD.items() if not isinstance(record.get(key), kind)), "")
        flaw = flaw or ("" if _is_source(record["source"]) else "source")
        if flaw:
            return (name, flaw), f"marketplace `{name}` has no `{flaw}` that can be used"
    return None


def _is_usable(record: Any) -> bool:
    """Whether the copies of a marketplace's plugins count beside records that cannot be used."""
    texts = isinstance(record, dict) and isinstance(record.get("installLocation"), str)
    return texts and isinstance(record.get("source"), dict) and _is_source(record["source"])


def _is_source(source: Mapping[str, Any]) -> bool:
    texts = ("repo", "path", "url", "package")
    return bool(source.get("source")) and all(isinstance(source.get(key, ""), str) for key in ("source", *texts))


def _known(where: Where[WithSettings]) -> Iterator[KnownMarketplace]:
    file = config_at(marketplace_records(where.places), JSON, where.run)
    if file is not None and not (isinstance(file, ConfigFile) and isinstance(file.value, dict)):
        return
    flawed = file is not None and record_flaw(file) is not None
    for found in settings_at(where, "extraKnownMarketplaces") if not flawed else ():
        for name, declared in found.value.items() if isinstance(found.value, dict) else ():
            yield from _declared(str(name), declared, found, where)
    for name, record in file.value.items() if file is not None else ():
        if not flawed or _is_usable(record):
            market = _at(str(name), record["source"], record["installLocation"], where)
            yield market.replace(source={}) if flawed else market


def _declared(name: str, declared: Any, by: SettingHere, where: Where[WithSettings]) -> Iterator[KnownMarketplace]:
    source = declared.get("source") if isinstance(declared, dict) else None
    source = source if isinstance(source, dict) else {}
    path = source.get("path") if source.get("source") in _ON_THIS_MACHINE else None
    if isinstance(path, str) and os.path.isabs(path):
        market = _at(name, source, path, where)
        if by.of_project and not is_trusted(where):
            market = market.replace(held=untrusted(where, f"{by.owner} add the marketplace `{name}`"))
        yield market


def _at(name: str, source: Mapping[str, Any], location: str, where: Where[WithSettings]) -> KnownMarketplace:
    location = where.places.absolute(location)
    listing = location if location.endswith(".json") else os.path.join(location, *LISTING.split("/"))
    folder = os.path.dirname(listing)
    if os.path.basename(folder) == ".claude-plugin":
        folder = os.path.dirname(folder)
    return KnownMarketplace(name, source, folder, listing, _ruled_out(source, where))


def _ruled_out(source: Mapping[str, Any], where: Where[WithSettings]) -> State | None:
    """What the administrator's lists say about a source."""
    means = export_of("pisces.harnesses.claude", "marketplace_rules", "means") if _has_rules(where) else None
    if means is None:
        return None
    for found in settings_at(where, "blockedMarketplaces", managed=True):
        if isinstance(found.value, list) and any(means(rule, source) for rule in found.value):
            return found.state(REFUSED, "{key} names its marketplace", ASK)
    for found in settings_at(where, "strictKnownMarketplaces", managed=True):
        if isinstance(found.value, list) and not any(means(rule, source) for rule in found.value):
            return found.state(REFUSED, "{key} does not name its marketplace", ASK)
    return None


def _has_rules(where: Where[WithSettings]) -> bool:
    return any(setting(where, key, managed=True) for key in ("blockedMarketplaces", "strictKnownMarketplaces"))


class Entry(Value):
    """What a marketplace says about one plugin; `keys` lead to it in the file."""

    values: Mapping[str, Any]
    file: ConfigFile
    keys: tuple[str | int, ...]
    root: str = ""  # of the sources of all its plugins
    is_read: bool = True  # whenever the plugin is; that of a plugin with a copy was read when it was installed

    @property
    def folder(self) -> str:
        """Where the plugin lies below the marketplace; empty where it comes from elsewhere."""
        source = self.values.get("source")
        if not isinstance(source, str):
            return ""
        return os.path.join(self.root, source) if self.root and not source.startswith("./") else source


def _is_taken(listing: Mapping[str, Any]) -> bool:
    """Most have texts only, so that the whole shape need not be loaded."""
    owner = listing.get("owner")
    plain = isinstance(owner, dict) and owner.get("name") and all(isinstance(each, str) for each in owner.values())
    if plain and all(isinstance(listing[key], str) for key in listing if key not in ("owner", "plugins")):
        return True
    return not export_of("pisces.harnesses.claude", "marketplaces", "refusal")(listing)


def entry_of(plugin: str, market: KnownMarketplace, where: Where) -> Entry | Diagnostic | None:
    """None where the marketplace does not list the plugin, or cannot be used."""
    file = config_at(market.listing, MARKED, where.run)
    if not isinstance(file, ConfigFile) or not isinstance(file.value, dict):
        return file if isinstance(file, Diagnostic) else None
    plugins, metadata = file.value.get("plugins"), file.value.get("metadata")
    if not isinstance(plugins, list) or not _is_taken(file.value):
        return None
    root = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    for index, values in enumerate(plugins):
        if isinstance(values, dict) and values.get("name") == plugin:
            return Entry(values, file, ("plugins", index), root if isinstance(root, str) else "", market.is_local)
    return None

"""Plugins of Droid that are on record in one `installed_plugins.json`, unless settings beside it switch them off."""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import JSON, LENIENT, ConfigFile, config_at, read_object
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import format_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FACTORY_PLUGIN_OFF = Rule("factory-plugin-off", NOTE, "A plugin of Droid is installed but switched off")
FACTORY_PLUGIN_MISSING = Rule("factory-plugin-missing", WARNING, "A plugin that Droid has on record is not there")


def find(where: Where) -> FinderResults:
    return read_object(where.path, JSON, where.run, lambda file: _recorded(file, where))


def _recorded(file: ConfigFile, where: Where) -> FinderResults:
    plugins = file.part(("plugins",))
    for key, records in plugins.items() if isinstance(plugins, dict) else ():
        switch = _switched_off(key, where)
        path = _install_path(records)
        if switch:
            yield switch
        elif path and os.path.isdir(where.places.absolute(path)):
            yield from _package(where.places.absolute(path), where)
        else:
            message, place = f"plugin `{key}` is not at `{path}`", file.place("plugins", key)
            yield FACTORY_PLUGIN_MISSING.at(file.path, message, place=place, about=key.partition("@")[0])


def _install_path(records: Any) -> str:
    record = records[0] if isinstance(records, list) and records else records
    path = record.get("installPath") if isinstance(record, dict) else ""
    return path if isinstance(path, str) else ""


def _switched_off(key: str, where: Where) -> Diagnostic | None:
    folder = os.path.dirname(os.path.dirname(where.path))
    for name in ("settings.local.json", "settings.json"):
        file = config_at(os.path.join(folder, name), LENIENT, where.run)
        switch = file.part(("enabledPlugins", key)) if isinstance(file, ConfigFile) else None
        if isinstance(file, ConfigFile) and isinstance(switch, bool):
            place, about = file.place("enabledPlugins", key), key.partition("@")[0]
            message = f"plugin `{key}` is switched off"
            return None if switch else FACTORY_PLUGIN_OFF.at(file.path, message, place=place, about=about)
    return None


def _package(folder: str, where: Where) -> FinderResults:
    package_format = format_once("factory-plugin", where.run)
    read = package_format.read(folder, where.places)
    yield from read.diagnostics
    if read.package:
        yield where.found(read.package, package_format.manifest_path(folder))

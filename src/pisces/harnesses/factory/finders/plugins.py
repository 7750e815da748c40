"""Plugins of Droid that are on record in one `installed_plugins.json`; managed settings and those beside it switch."""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, WARNING, Rule
from pisces.discovery.config_file import JSON, LENIENT, ConfigFile, read_object
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import format_once
from pisces.discovery.settings_layers import SettingsLayers
from pisces.discovery.state import OFF, State, switched
from pisces.harnesses.factory import MANAGED_FOLDER, SETTINGS

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
        held = _switched_off(key, where)
        path, about = _install_path(records), key.partition("@")[0]
        if held:
            message = f"plugin `{key}` is switched off"
            yield FACTORY_PLUGIN_OFF.at(held.path, message, place=(held.line, 1), about=about)
        if path and os.path.isdir(where.places.absolute(path)):
            yield from _package(where.places.absolute(path), where.replace(held=held))
        elif not held:
            message, place = f"plugin `{key}` is not at `{path}`", file.place("plugins", key)
            yield FACTORY_PLUGIN_MISSING.at(file.path, message, place=place, about=about)


def _install_path(records: Any) -> str:
    record = records[0] if isinstance(records, list) and records else records
    path = record.get("installPath") if isinstance(record, dict) else ""
    return path if isinstance(path, str) else ""


def _switched_off(key: str, where: Where) -> State | None:
    folder = os.path.dirname(os.path.dirname(where.path))
    paths = [os.path.join(MANAGED_FOLDER, "settings.json"), *(os.path.join(folder, name) for name in SETTINGS)]
    layers = SettingsLayers([(path, LENIENT) for path in paths], where.run)
    for switch, file in layers.said("enabledPlugins", key):
        if isinstance(switch, bool):
            reason, keys = "`enabledPlugins` switches the plugin off", ("enabledPlugins", key)
            return None if switch else switched(OFF, reason, file, keys, "set it to true")
    return None


def _package(folder: str, where: Where) -> FinderResults:
    package_format = format_once("factory-plugin", where.run)
    read = package_format.read(folder, where.places)
    yield from () if where.held else read.diagnostics
    if read.package:
        yield where.found(read.package, package_format.manifest_path(folder))

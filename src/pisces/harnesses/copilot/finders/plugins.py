"""Plugins of the Copilot CLI: those on record as `installedPlugins` in its `config.json`.

`enabledPlugins` of the settings decides whether one is on, else the record itself. A plugin may be made for Copilot,
by the rules of Agent Plugins, or for Claude Code.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import LENIENT, ConfigFile, read_object
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import format_once
from pisces.discovery.state import OFF, Scene, State, switched
from pisces.harnesses.copilot.states import settings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FORMATS = ("copilot-plugin", "agent-plugin", "claude-plugin")


def find(where: Where) -> FinderResults:
    return read_object(where.path, LENIENT, where.run, lambda file: _recorded(file, where))


def _recorded(file: ConfigFile, where: Where) -> FinderResults:
    records = file.part(("installedPlugins",))
    for index, record in enumerate(records if isinstance(records, list) else ()):
        folder = _folder(record, where) if isinstance(record, dict) else ""
        if folder and os.path.isdir(folder):
            yield from _package(folder, where.replace(held=_off(file, index, record, where)))


def _folder(record: dict[str, Any], where: Where) -> str:
    path, name, marketplace = (record.get(key) for key in ("cache_path", "name", "marketplace"))
    if isinstance(path, str) and path:
        return where.places.absolute(path)
    beside = os.path.join(os.path.dirname(where.path), "installed-plugins")
    return os.path.join(beside, str(marketplace), str(name)) if name and marketplace else ""


def _off(file: ConfigFile, index: int, record: dict[str, Any], where: Where) -> State | None:
    key = f"{record.get('name')}@{record.get('marketplace')}"
    settings = settings_of(Scene(where.harness, where.places, where.run)) if where.harness else None
    for value, said in settings.said("enabledPlugins", key) if settings else ():
        if isinstance(value, bool):
            reason, keys = "`enabledPlugins` switches the plugin off", ("enabledPlugins", key)
            return None if value else switched(OFF, reason, said, keys, "set it to true")
    if record.get("enabled") is not False:
        return None
    change = f"`copilot plugin enable {record.get('name')}`"
    return switched(OFF, "the plugin is disabled", file, ("installedPlugins", index, "enabled"), change)


def _package(folder: str, where: Where) -> FinderResults:
    for name in _FORMATS:
        package_format = format_once(name, where.run)
        if package_format.fits(folder):
            read = package_format.read(folder, where.places)
            yield from () if where.held else read.diagnostics
            if read.package:
                yield where.found(read.package, package_format.manifest_path(folder))
            return

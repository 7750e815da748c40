"""Antigravity's plugins in a folder, and what they bring: child folders with a plugin.json, which can disable them."""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import components
from pisces.discovery.state import OFF, State
from pisces.files import entries, is_folder
from pisces.harnesses.antigravity.formats.antigravity_plugin import FORMAT

ANTIGRAVITY_PLUGIN_OFF = Rule("antigravity-plugin-off", NOTE, "A plugin is switched off in its own manifest")


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        path = os.path.join(entry.path, FORMAT.manifest)
        if not is_folder(entry) or not os.path.lexists(path):
            continue
        read = FORMAT.read(entry.path, where.places)
        listed = where.capability == "packages"
        if listed:
            yield from read.diagnostics
        if read.package is None:
            continue
        held = _off(path, where) if read.package.manifest.get("disabled") is True else None
        if held and listed:
            yield ANTIGRAVITY_PLUGIN_OFF.at(path, "the plugin is switched off", about=entry.name)
        if listed:
            yield where.replace(held=held).found(read.package, path)
        else:
            yield from components(read.package, where.replace(held=held))


def _off(manifest: str, where: Where) -> State:
    file = config_at(manifest, JSON, where.run)
    line = file.place("disabled")[0] if isinstance(file, ConfigFile) else 0
    return State(OFF, "`disabled` is true in the plugin's manifest", manifest, line, "remove `disabled`")

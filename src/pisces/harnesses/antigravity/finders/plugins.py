"""Antigravity's plugins in a folder, and what they bring: child folders with a plugin.json that is not `disabled`."""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Rule
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import components
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
        if read.package.manifest.get("disabled") is True:
            if listed:
                yield ANTIGRAVITY_PLUGIN_OFF.at(path, "the plugin is switched off", about=entry.name)
        elif listed:
            yield where.found(read.package, path)
        else:
            yield from components(read.package, where)

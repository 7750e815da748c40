"""A folder of OpenHands's plugins: each of its folders is one, whatever it holds.

A folder that has nothing but a `plugin.json` at its root is left out: it is an Agent Plugin, which OpenHands is about
to read in another way. So is the folder of installed plugins, which has a place of its own.
"""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import format_once
from pisces.files import entries, is_folder
from pisces.harnesses.openhands.installed import off_in_record


def find(where: Where) -> FinderResults:
    folders = [entry for entry in entries(where.path) if is_folder(entry) and entry.name != "installed"]
    for entry in folders:
        package_format = format_once("openhands-plugin", where.run)
        read = package_format.read(entry.path, where.places)
        yield from read.diagnostics
        if read.package:
            held = off_in_record(where, entry.name)
            yield where.replace(held=held).found(read.package, os.path.join(entry.path, package_format.manifest))

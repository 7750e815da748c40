"""The extensions that are installed for the user in Qwen Code; one that is disabled for this folder is held back.

A linked extension keeps only a note of where it really is.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.enablement import ENABLEMENT_FILE, is_enabled, read_rules
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.linked import linked_folder
from pisces.discovery.package_format import format_once
from pisces.discovery.state import OFF, State
from pisces.files import entries, is_folder
from pisces.harnesses.qwen import INSTALL_FILE

QWEN_EXTENSION_OFF = Rule("qwen-extension-off", NOTE, "An extension of Qwen Code is installed but disabled here")


def find(where: Where) -> FinderResults:
    inside = entries(where.path)
    if not inside:
        return  # before anything is loaded for it: most people have no such folder
    rules = read_rules(where.path)
    if isinstance(rules, Diagnostic):
        yield rules
        rules = {}
    form = format_once("qwen", where.run)
    for entry in inside:
        folder = linked_folder(entry.path, INSTALL_FILE, where.places.cwd)
        if not is_folder(entry) or not form.fits(folder):
            continue
        read = form.read(folder, where.places)
        yield from read.diagnostics
        if read.package and is_enabled(rules.get(str(read.package.name)), where.places):
            yield where.found(read.package, os.path.join(folder, form.manifest))
        elif read.package:
            name = str(read.package.name)
            message = f"`{name}` is disabled for this folder"
            rule_file = os.path.join(where.path, ENABLEMENT_FILE)
            yield QWEN_EXTENSION_OFF.at(rule_file, message, about=name)
            off = State(OFF, f"the extension {message}", rule_file, 0, f"`qwen extensions enable {name}`")
            yield where.replace(held=off).found(read.package, os.path.join(folder, form.manifest))

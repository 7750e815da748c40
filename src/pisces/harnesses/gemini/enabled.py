"""The packages that Gemini CLI would load here: installed for the user, loadable, and not disabled for this folder.

Rules of `extension-enablement.json`: start enabled, walk the list, the last rule that matches the folder decides.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.enablement import ENABLEMENT_FILE, is_enabled, read_rules
from pisces.discovery.found import USER, Found
from pisces.discovery.harness import Where
from pisces.discovery.linked import linked_folder
from pisces.formats.variables import listed
from pisces.harnesses.gemini import HARNESS, INSTALL_FILE
from pisces.harnesses.gemini.manifest import FILE, load_manifest
from pisces.harnesses.gemini.unfinished import extension_folders
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = "gemini"

PACKAGE_DISABLED = Rule("package-disabled", NOTE, "A package is installed but disabled here")


def enabled_packages(where: Where) -> list[Found[Package]]:
    """Installed, loadable and enabled, in the order of their folders. Read once for each discovery."""
    return [found for found in _examined(where) if isinstance(found, Found)]


def reasons_against(where: Where) -> list[Diagnostic]:
    """Why the others are not."""
    return [found for found in _examined(where) if isinstance(found, Diagnostic)]


def _examined(where: Where) -> list[Found[Package] | Diagnostic]:
    root = os.path.join(HARNESS.user_path(where.places), "extensions")
    return where.run.once(("gemini-packages", root), lambda: list(_examine(where, root)))


def _examine(where: Where, root: str) -> Iterator[Found[Package] | Diagnostic]:
    rules = read_rules(root)
    if isinstance(rules, Diagnostic):
        yield rules
        rules = {}
    for entry in extension_folders(root):
        folder = linked_folder(entry, INSTALL_FILE, where.places.cwd)
        manifest = load_manifest(folder, where.places.cwd)
        if isinstance(manifest, Diagnostic):
            yield manifest
            continue
        name = str(manifest.values["name"])
        if not is_enabled(rules.get(name), where.places):
            yield _disabled(name, os.path.join(root, ENABLEMENT_FILE))
            continue
        values = listed(manifest.values, where.places.env.get("HOME") or where.places.home)
        package = Package(values["name"], folder, values, FORMAT)
        yield where.replace(level=USER).found(package, os.path.join(folder, FILE))


def named_by_rules(folder: str, rule: object, where: Where) -> Iterator[Diagnostic]:
    """Whether a package is off here; `folder` is the one in the store."""
    manifest = load_manifest(linked_folder(folder, INSTALL_FILE, where.places.cwd), where.places.cwd)
    if not isinstance(manifest, Diagnostic) and not is_enabled(rule, where.places):
        yield _disabled(str(manifest.values["name"]), where.path)


def _disabled(name: str, path: str) -> Diagnostic:
    return PACKAGE_DISABLED.at(path, f"`{name}` is disabled for this folder", about=name)

"""The packages that Gemini CLI would load here: installed for the user, loadable, and not disabled for this folder.

Rules of `extension-enablement.json`: start enabled, walk the list, the last rule that matches the folder decides.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.enablement import ENABLEMENT_FILE, is_enabled, read_rules
from pisces.discovery.found import USER, Found
from pisces.discovery.harness import Where
from pisces.formats.json_file import object_at
from pisces.formats.variables import listed
from pisces.harnesses.gemini.manifest import FILE, load_manifest
from pisces.harnesses.gemini.unfinished import extension_folders
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = "gemini"
INSTALL_FILE = ".gemini-extension-install.json"

PACKAGE_DISABLED = Rule("package-disabled", NOTE, "A package is installed but disabled here")


def enabled_packages(where: Where) -> list[Found[Package]]:
    """Installed, loadable and enabled, in the order of their folders. Read once for each discovery."""
    return [found for found in _examined(where) if isinstance(found, Found)]


def reasons_against(where: Where) -> list[Diagnostic]:
    """Why the others are not."""
    return [found for found in _examined(where) if isinstance(found, Diagnostic)]


def _examined(where: Where) -> list[Found[Package] | Diagnostic]:
    root = os.path.join(where.places.home, ".gemini", "extensions")
    return where.run.once(("gemini-packages", root), lambda: list(_examine(where, root)))


def _examine(where: Where, root: str) -> Iterator[Found[Package] | Diagnostic]:
    rules = read_rules(root)
    if isinstance(rules, Diagnostic):
        yield rules
        rules = {}
    for entry in extension_folders(root):
        folder = linked_folder(entry)
        manifest = load_manifest(folder, where.places.cwd)
        if isinstance(manifest, Diagnostic):
            yield manifest
            continue
        name = str(manifest.values["name"])
        if not is_enabled(rules.get(name), where.places):
            yield _disabled(name, os.path.join(root, ENABLEMENT_FILE))
            continue
        values = listed(manifest.values, where.places.home)
        package = Package(values["name"], folder, values, FORMAT)
        yield where.replace(level=USER).found(package, os.path.join(folder, FILE))


def named_by_rules(folder: str, rule: object, where: Where) -> Iterator[Found[Package] | Diagnostic]:
    """A package that is linked, and whether it is off here; `folder` is the one in the store."""
    real = linked_folder(folder)
    manifest = load_manifest(real, where.places.cwd)
    if isinstance(manifest, Diagnostic):
        return
    if real != folder:
        yield where.found(Package(manifest.raw["name"], real, manifest.raw, FORMAT), os.path.join(real, FILE))
    if not is_enabled(rule, where.places):
        yield _disabled(str(manifest.values["name"]), where.path)


def linked_folder(folder: str) -> str:
    """A linked package keeps only a note of where it really is."""
    note = object_at(os.path.join(folder, INSTALL_FILE))
    source = note.get("source") if note.get("type") == "link" else None
    return source if isinstance(source, str) else folder


def _disabled(name: str, path: str) -> Diagnostic:
    return PACKAGE_DISABLED.at(path, f"`{name}` is disabled for this folder", about=name)

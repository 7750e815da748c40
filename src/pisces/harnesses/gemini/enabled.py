"""The packages that Gemini CLI finds installed for the user, each with what keeps it from loading here, if anything.

Rules of `extension-enablement.json`: start enabled, walk the list, the last rule that matches the folder decides.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.enablement import ENABLEMENT_FILE, ENABLEMENT_UNREADABLE, is_enabled, read_rules
from pisces.discovery.found import USER, Found
from pisces.discovery.harness import Where
from pisces.discovery.linked import linked_folder
from pisces.discovery.state import INVALID, OFF, State
from pisces.files import read_text
from pisces.formats.fit import noun_of
from pisces.formats.json import JsonObject
from pisces.formats.json_file import object_at
from pisces.formats.variables import listed
from pisces.harnesses.gemini import HARNESS, INSTALL_FILE
from pisces.harnesses.gemini.manifest import MANIFEST_INVALID, load_manifest
from pisces.harnesses.gemini.trust import ground_of
from pisces.harnesses.gemini.unfinished import extension_folders
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.harnesses.gemini.settings import Settings
    from pisces.shapes.field import Keys

FORMAT = "gemini"

PACKAGE_DISABLED = Rule("package-disabled", NOTE, "A package is installed but disabled here")


def installed_packages(where: Where) -> list[Found[Package]]:
    """Those with a manifest that can be used, in the order of their folders. Read once for each discovery."""
    return where.run.once(
        ("gemini-installed",), lambda: [found for found in _examined(where) if isinstance(found, Found)]
    )


def reasons_against(where: Where) -> list[Diagnostic]:
    """Why the others cannot be used, and which are disabled."""
    return [found for found in _examined(where) if isinstance(found, Diagnostic)]


def _examined(where: Where) -> list[Found[Package] | Diagnostic]:
    root = os.path.join(HARNESS.user_path(where.places), "extensions")
    return where.run.once(("gemini-packages", root), lambda: list(_examine(where, root)))


def _examine(where: Where, root: str) -> Iterator[Found[Package] | Diagnostic]:
    rules = read_rules(root)
    if isinstance(rules, Diagnostic):
        yield rules
        rules = {}
    if not all(map(_is_rule, rules.values())):
        yield ENABLEMENT_UNREADABLE.at(os.path.join(root, ENABLEMENT_FILE), "every extension counts as enabled")
        rules = {}
    settings = ground_of(where.places, where.run).settings
    restricted = any(settings.value("security", key) for key in ("allowedExtensions", "blockGitExtensions"))
    of_user = where.replace(level=USER)
    for entry in extension_folders(root):
        noted = entry + os.sep + INSTALL_FILE
        note = object_at(noted) if os.access(noted, os.F_OK) else {}  # most have none, and a question costs less
        folder = linked_folder(entry, INSTALL_FILE, where.places.cwd) if note else entry
        manifest = load_manifest(folder, where.places.cwd, where.run)
        if isinstance(manifest, Diagnostic):
            yield manifest
            continue
        name = manifest.values["name"]
        if dropped := _dropped(manifest.values):
            keys, message = dropped
            yield MANIFEST_INVALID.at(
                manifest.path, message, place=manifest.place(keys), about=os.path.basename(folder)
            )
            continue
        held = _against_source(note, settings, where.places.cwd) if restricted else None
        held = held or (_against_note(note, entry) if note else None)
        if not is_enabled(rules.get(name), where.places):
            switch = os.path.join(root, ENABLEMENT_FILE)
            yield _disabled(name, switch)
            held = held or _off(name, switch)
        values = listed(manifest.values, where.places.env.get("HOME") or where.places.home)
        package = Package(values["name"], folder, values, FORMAT)
        here = of_user if held is None else of_user.replace(held=held)
        yield here.found(package, manifest.path)


def _dropped(values: JsonObject) -> tuple[Keys, str] | None:
    """What passes in a manifest, and lets Gemini CLI drop the package a step later: where it is, and why."""
    name, servers = values["name"], values.get("mcpServers")
    if not isinstance(name, str):
        return ("name",), f"`name` must be text, not {noun_of(name)}"
    nulls = [key for key, server in servers.items() if server is None] if isinstance(servers, dict) else []
    return (("mcpServers", nulls[0]), f"the server `{nulls[0]}` is null") if nulls else None


def named_by_rules(folder: str, rule: object, where: Where) -> Iterator[Diagnostic]:
    """Whether a package is off here; `folder` is the one in the store."""
    manifest = load_manifest(linked_folder(folder, INSTALL_FILE, where.places.cwd), where.places.cwd)
    if not isinstance(manifest, Diagnostic) and not is_enabled(rule, where.places):
        yield _disabled(str(manifest.values["name"]), where.path)


def _is_rule(entry: object) -> bool:
    """One entry of another shape, and Gemini CLI reads nothing of the file."""
    overrides = entry.get("overrides") if isinstance(entry, dict) else None
    return isinstance(overrides, list) and all(isinstance(override, str) for override in overrides)


def _against_source(note: JsonObject, settings: Settings, cwd: str) -> State | None:
    found: State | None = export_of("pisces.harnesses.gemini", "allowed", "refused_source")(note, settings, cwd)
    return found


def _against_note(note: JsonObject, folder: str) -> State | None:
    flaw = export_of("pisces.harnesses.gemini", "allowed", "note_flaw")(note)
    return State(INVALID, flaw, os.path.join(folder, INSTALL_FILE), 0, "install it again", True) if flaw else None


def _disabled(name: str, path: str) -> Diagnostic:
    return PACKAGE_DISABLED.at(path, f"`{name}` is disabled for this folder", about=name)


def _off(name: str, path: str) -> State:
    line = export_of("pisces.formats", "position", "json_place")(read_text(path), (name,))[0]
    reason = f"the extension `{name}` is disabled for this folder"
    return State(OFF, reason, path, line, f"`gemini extensions enable {name}`")

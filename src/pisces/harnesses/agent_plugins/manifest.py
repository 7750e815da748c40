"""The manifest of an Agent Plugin, `plugin.json` at its root, as version 1 of the specification has it.

Keys that it does not name are reported and ignored, and so is an `extensions` that is not an object; any other misfit
rejects the whole plugin. `$schema` says which version applies; nothing is ever fetched.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import Run
from pisces.discovery.package_format import PACKAGE_MANIFEST, ReadPackage
from pisces.formats.fit import ANYTHING, TABLE, TEXT, Either, Listed, Mapped, Misfit, Plain, Record, misfits
from pisces.places import Places
from pisces.shapes.package import Package

FILE = "plugin.json"
FORMAT = "agent-plugin"
VERSIONS = ("1.0.0", "1.1.0")

AGENT_PLUGIN_MANIFEST = Rule("agent-plugin-manifest", ERROR, "An Agent Plugin's manifest breaks the specification")
AGENT_PLUGIN_FIELD = Rule(
    "agent-plugin-field", WARNING, "An Agent Plugin's manifest has a field that the specification does not know"
)

_IN_NAMES = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-")


def name_flaw(name: str) -> str:
    is_short = 0 < len(name) <= 64 and _IN_NAMES.issuperset(name)
    if is_short and name[0] not in ".-" and name[-1] not in ".-" and "--" not in name and ".." not in name:
        return ""
    return "must be 1 to 64 small letters, digits, single hyphens and dots, with a letter or digit at both ends"


def _schema_flaw(schema: str) -> str:
    return "" if version_of(schema, "plugin") else f"`{schema}` is not a version that is known here"


_NO_OBJECT = Plain("an object", lambda value: not isinstance(value, dict))  # reported, and ignored
_SHAPE = Record(
    required={"$schema": TEXT.that(_schema_flaw), "name": TEXT.that(name_flaw)},
    optional={
        **dict.fromkeys(("version", "description", "homepage", "repository", "license"), TEXT),
        "author": Record({}, {"name": TEXT, "email": TEXT, "url": TEXT}, closed=True),
        "keywords": Listed(TEXT),
        "extensions": Either((Mapped(TABLE), _NO_OBJECT)),
        "displayName": ANYTHING,  # with `icon`, new in the draft of 1.1
        "icon": ANYTHING,
    },
    closed=True,
)


def schema_address(kind: str) -> str:
    """What `$schema` says in a plugin of the first version, which every client knows. `kind` is plugin or mcp."""
    return f"https://agent-plugins.org/schemas/{VERSIONS[0]}/{kind}.schema.json"


def version_of(schema: object, kind: str) -> str:
    """The version that a `$schema` names; empty for any other text. `kind` is plugin or mcp."""
    for version in VERSIONS:
        if schema == f"https://agent-plugins.org/schemas/{version}/{kind}.schema.json":
            return version
    return ""


def read_plugin(folder: str, places: Places) -> ReadPackage:
    """The plugin in a folder, and whether clients would take it."""
    about = os.path.basename(os.path.abspath(places.absolute(folder)))
    path = os.path.join(folder, FILE)
    if not stays_inside(path, folder):
        message = "the manifest leads out of the plugin"
        return ReadPackage(None, False, (PACKAGE_MANIFEST.at(path, message, about=about),))
    file = config_at(path, MARKED, Run())
    if file is None:
        return ReadPackage(None, False, (PACKAGE_MANIFEST.at(path, "there is no manifest", about=about),))
    if isinstance(file, Diagnostic):
        return ReadPackage(None, False, (file.replace(about=about),))
    problems = tuple(_problems(file, about))
    if any(problem.severity == ERROR for problem in problems):
        return ReadPackage(None, False, problems)
    return ReadPackage(Package(file.value["name"], folder, file.value, FORMAT), True, problems)


def _problems(file: ConfigFile, about: str) -> Diagnostics:
    for misfit in misfits(file.value, _SHAPE):
        rule = AGENT_PLUGIN_FIELD if misfit.unknown and len(misfit.path) == 1 else AGENT_PLUGIN_MANIFEST
        yield rule.at(file.path, _sentence(misfit), place=file.place(*misfit.path), about=about)
    extensions = file.part(("extensions",))
    if extensions is not None and not isinstance(extensions, dict):
        message = "`extensions` must be an object, and is ignored"
        yield AGENT_PLUGIN_FIELD.at(file.path, message, place=file.place("extensions"), about=about)


def _sentence(misfit: Misfit) -> str:
    if misfit.unknown:
        return misfit.message
    where = ".".join(str(key) for key in misfit.path)
    return f"`{where}` {misfit.message}" if where else f"the manifest {misfit.message}"

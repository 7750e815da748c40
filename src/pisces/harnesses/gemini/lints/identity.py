"""The identity of a Gemini extension: version, name, description, its new address, its plan directory."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from pisces.checking.lint import Flaw, Flaws, Lint, diagnostics_of
from pisces.checking.subject import Subject
from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.formats.fit import noun_of
from pisces.formats.json import JsonObject
from pisces.formats.semver import is_semver
from pisces.formats.variables import hydrated, listed, path_context

MANIFEST_VERSION = Rule("manifest-version", WARNING, "A version that is not a semantic version")
MANIFEST_FOLDER = Rule("manifest-folder", NOTE, "The folder is not called like the extension")
MANIFEST_NO_DESCRIPTION = Rule("manifest-no-description", NOTE, "A manifest without a description")
MANIFEST_MIGRATED = Rule("manifest-migrated", WARNING, "`migratedTo` is not an address")
PLAN_DIRECTORY = Rule("plan-directory", WARNING, "The plan directory is not a folder inside the project")

_SOURCES = ("http", "https", "ssh", "sso", "git", "github", "gitlab")


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest is None:
        return
    path, values = manifest
    yield from diagnostics_of(_flaws(values, os.path.basename(subject.folder)), path, subject)


def _flaws(values: JsonObject, folder: str) -> Flaws:
    name, version = values.get("name"), values.get("version")
    if version and not isinstance(version, str):
        yield Flaw(MANIFEST_VERSION, ("version",), f"`version` is {noun_of(version)}, not text", f'write "{version}"')
    elif version and not is_semver(version):
        hint = "write three numbers, as in 1.0.0"
        yield Flaw(MANIFEST_VERSION, ("version",), f"`{version}` is not a semantic version", hint)
    if isinstance(name, str) and name and name != folder:
        yield Flaw(MANIFEST_FOLDER, ("name",), f"the extension is called `{name}`, its folder `{folder}`")
    if not values.get("description"):
        yield Flaw(MANIFEST_NO_DESCRIPTION, ("name",), "the manifest has no `description`")
    moved = values.get("migratedTo")
    if isinstance(moved, str) and not _is_source(moved):
        yield Flaw(
            MANIFEST_MIGRATED, ("migratedTo",), f"`{moved}` is not an address", "write https://github.com/OWNER/NAME"
        )
    plan = values.get("plan")
    directory = plan.get("directory") if isinstance(plan, dict) else None
    if isinstance(directory, str) and directory and (flaw := _directory_flaw(directory)):
        yield Flaw(PLAN_DIRECTORY, ("plan", "directory"), f"`{directory}` {flaw}")


def _is_source(text: str) -> bool:
    if text.startswith("git@"):
        return True
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in _SOURCES and bool(parts.netloc or parts.path)


def _directory_flaw(directory: str) -> str:
    """Gemini CLI looks at it with variables filled in, and most of them are absolute paths."""
    if not directory.strip():
        return "is empty"
    directory = listed(hydrated(directory, path_context(os.sep + "package", os.sep + "project")), os.sep + "home")
    if os.path.isabs(directory) or directory.startswith(("/", "\\", "~")) or directory[1:2] == ":":
        return "must be relative"
    return "must not contain `..`" if ".." in directory else ""


LINT = Lint("version, name and description of a Gemini extension", _find, "gemini")

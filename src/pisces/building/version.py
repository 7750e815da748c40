"""The one version of a repository: from a JSON or TOML file, the nearest git tag, or each plugin's manifest."""

from __future__ import annotations

import os
import re

from pisces.building.config import MANIFEST_VERSION, TAG_VERSION, BuildConfig
from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, PiscesError, Rule
from pisces.files import Unreadable, read_text
from pisces.formats import jsonc, toml_current
from pisces.formats.malformed import Malformed
from pisces.formats.semver import is_semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.building.repository import Repository
    from pisces.diagnostics import Diagnostic
    from pisces.places import Places

BUILD_VERSION = Rule("build-version", ERROR, "The version of a build cannot be used")
BUILD_VERSION_FORM = Rule("build-version-form", WARNING, "A version is none that every program can compare")

LONGEST = 128
_ALLOWED = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]*")
_IN_TAG = re.compile(r"(?:^|[^0-9.])v?([0-9]+(?:\.[0-9]+)+[0-9A-Za-z.+-]*)\Z")
_TOML_TABLES = (("project",), ("tool", "poetry"), ("package",), ("workspace", "package"))


def declared_version(config: BuildConfig, places: Places) -> str:
    """What the configuration names; empty where each plugin's own manifest counts."""
    if config.version == MANIFEST_VERSION:
        return ""
    if config.version == TAG_VERSION:
        repository: Repository = export_of("pisces.building", "repository", "Repository")(config.folder, places)
        return checked_version(_of_tag(repository), config.path)
    path = config.at(config.version)
    return checked_version(version_in(path), path)


def version_in(path: str) -> str:
    """Of a JSON file its `version`, of a TOML file that of its project. Empty where the file has none."""
    is_toml = path.endswith(".toml")
    try:
        text = read_text(path).removeprefix("\ufeff")
        values: Any = toml_current.parse(text) if is_toml else jsonc.parse_lenient(text)
    except Unreadable as error:
        hint = "`version` is `manifest`, `git-tag`, or the path of a file that has it, like `package.json`"
        raise PiscesError(BUILD_VERSION.at(path, f"the file {error.message}", hint=hint)) from None
    except Malformed as error:
        raise PiscesError(BUILD_VERSION.at(path, error.message, place=(error.line, error.column))) from None
    tables = [_inside(values, keys) for keys in _TOML_TABLES] if is_toml else [values]
    found = [each.get("version") for each in tables if isinstance(each, dict)]
    return next((each for each in found if isinstance(each, str)), "")


def checked_version(version: str, path: str) -> str:
    """The version goes into JSON, into names of files and into messages of commits, so it is plain."""
    if not version:
        hint = "write one, or let `version` in `[build]` name another file, `manifest` or `git-tag`"
        raise PiscesError(BUILD_VERSION.at(path, "there is no version in it", hint=hint))
    if len(version) > LONGEST or not _ALLOWED.fullmatch(version):
        hint = "letters, digits, `.`, `+`, `-` and `_`, as in 1.2.3"
        raise PiscesError(BUILD_VERSION.at(path, f"`{version[:LONGEST]}` is no version", hint=hint))
    return version


def form_of_version(version: str, path: str) -> Diagnostic | None:
    """Three numbers, as npm compares them: some programs warn, others never see that an update is there."""
    if not version or is_semver(version):
        return None
    return BUILD_VERSION_FORM.at(path, f"`{version}` is not MAJOR.MINOR.PATCH", hint="as in 1.2.3 or 1.2.3-rc.1")


def _of_tag(repository: Repository) -> str:
    tag = repository.nearest_tag()
    found = _IN_TAG.search(tag)
    if found is None:
        message = f"the nearest tag, `{tag}`, has no version in it" if tag else "no tag leads to this commit"
        hint = "a shallow clone has no tags: in CI, fetch them with `fetch-depth: 0`"
        raise PiscesError(BUILD_VERSION.at(os.path.join(repository.folder, ".git"), message, hint=hint))
    return found[1]


def _inside(values: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values

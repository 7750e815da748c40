"""What makes `gemini extensions install` fail although the manifest loads.

Gemini CLI writes every field into the text that asks for consent, without looking at types: what JavaScript cannot
convert to text, or cannot join, ends the installation.
"""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, Diagnostic, Diagnostics, Rule
from pisces.formats.fit import noun_of
from pisces.formats.js_truth import IN_EVERY_OBJECT, is_truthy
from pisces.formats.json import JsonObject
from pisces.harnesses.gemini.manifest import Manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.formats.fit import Path

MANIFEST_BREAKS_INSTALL = Rule(
    "manifest-breaks-install", ERROR, "A manifest field has a type that breaks the installation"
)
MANIFEST_NAME_TAKEN = Rule("manifest-name-taken", ERROR, "An extension has a name that every JavaScript object knows")

_LONGEST_NAME = 255  # the longest file name of common file systems: the name becomes a folder
# Whose values are shown as stars, and so never become text.
_SECRET_VARIABLE = "token|secret|password|passwd|key|auth|credential|creds|private|cert"
_SECRET_HEADER = "authorization|key|cookie|token|secret"
_SHOWN_IF_TRUTHY = (
    *("cwd", "url", "tcp", "type", "description"),
    *("authProviderType", "targetAudience", "targetServiceAccount"),
)


def install_problems(manifest: Manifest) -> Diagnostics:
    """Every reason why nothing is installed."""
    values = manifest.values
    name = values["name"]
    if not isinstance(name, str):
        yield _breaks(manifest, ("name",), f"`name` must be text, not {noun_of(name)}")
    elif len(name.encode()) > _LONGEST_NAME:
        yield _breaks(manifest, ("name",), f"the name is {len(name)} characters long and cannot become a folder")
    for key, server in _members(values.get("mcpServers")):
        for path, message in _server_problems(server):
            yield _breaks(manifest, ("mcpServers", key, *path), message or f"the server `{key}` is null")
    yield from _setting_problems(manifest)
    plan = values.get("plan")
    directory = plan.get("directory") if isinstance(plan, dict) else None
    shown = {"contextFileName": values.get("contextFileName"), "excludeTools": values.get("excludeTools")}
    for field, value in {**shown, "plan": directory}.items():
        if not _has_text(value):
            yield _breaks(manifest, (field,), _no_text(field))


def enabling_problem(manifest: Manifest) -> Diagnostic | None:
    """Why the last step fails, after which the extension is there all the same."""
    name = manifest.values["name"]
    if name not in IN_EVERY_OBJECT:
        return None
    message = f"`{name}` is a word that JavaScript finds in every object"
    return MANIFEST_NAME_TAKEN.at(manifest.path, message, place=manifest.place(("name",)), about=name)


def _server_problems(server: object) -> Iterator[tuple[Path, str]]:
    if server is None:
        yield (), ""
    if not isinstance(server, dict):
        return
    args, web = server.get("args"), server.get("httpUrl")
    if web is None and is_truthy(args) and not isinstance(args, list):
        yield ("args",), f"`args` must be a list, not {noun_of(args)}"
    for field in ("includeTools", "excludeTools"):
        if _counts(server.get(field)) and not isinstance(server[field], list):
            yield (field,), f"`{field}` must be a list, not {noun_of(server[field])}"
    for field, value in _shown(server):
        if not _has_text(value):
            yield (field,), _no_text(field)


def _shown(server: JsonObject) -> Iterator[tuple[str, object]]:
    """The values that become text, with their field."""
    for field in ("httpUrl",) if server.get("httpUrl") is not None else ("command", "args"):
        yield field, server.get(field)
    for field in (*_SHOWN_IF_TRUTHY, "timeout", "trust"):
        yield field, server.get(field)
    for field in ("includeTools", "excludeTools"):
        if isinstance(server.get(field), list):
            yield field, server[field]
    for field, secret in (("env", _SECRET_VARIABLE), ("headers", _SECRET_HEADER), ("oauth", None)):
        for key, value in _members(server.get(field)):
            if not (secret and re.search(secret, str(key), re.IGNORECASE)):
                yield field, value


def _setting_problems(manifest: Manifest) -> Diagnostics:
    settings = manifest.values.get("settings")
    if not isinstance(settings, list):
        if is_truthy(settings) and not isinstance(settings, str):
            yield _breaks(manifest, ("settings",), f"`settings` must be a list, not {noun_of(settings)}")
        return
    for index, setting in enumerate(settings):
        if setting is None:
            yield _breaks(manifest, ("settings", index), "a setting is null")
        for field in ("name", "envVar") if isinstance(setting, dict) else ():
            if not _has_text(setting.get(field)):
                yield _breaks(manifest, ("settings", index, field), _no_text(field))


def _members(value: object) -> list[tuple[str | int, object]]:
    """What JavaScript's `Object.entries` lists."""
    return list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []


def _counts(value: object) -> bool:
    """JavaScript's `value.length > 0`."""
    if isinstance(value, dict):
        length = value.get("length")
        return isinstance(length, int | float) and length > 0
    return isinstance(value, str | list) and len(value) > 0


def _has_text(value: object) -> bool:
    """Whether JavaScript can convert a value to text: not an object that brings its own `toString`."""
    if isinstance(value, list):
        return all(map(_has_text, value))
    return not (isinstance(value, dict) and "toString" in value)


def _no_text(field: str) -> str:
    return f"`{field}` holds an object with a `toString` key, which cannot be shown"


def _breaks(manifest: Manifest, path: Path, message: str) -> Diagnostic:
    about = str(manifest.values["name"])
    return MANIFEST_BREAKS_INSTALL.at(manifest.path, message, place=manifest.place(path), about=about)

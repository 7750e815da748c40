"""The manifest of a Claude Code plugin: keys that are not read, types that make Claude Code reject the plugin."""

from __future__ import annotations

import re

from pisces.checking.lint import Lint
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.formats.fit import ANYTHING, FLAG, TABLE, TEXT, Either, Listed, Mapped, Record, misfits, one_of
from pisces.formats.json import JsonObject
from pisces.formats.semver import is_semver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CLAUDE_MANIFEST_KEY = Rule(
    "claude-manifest-key", WARNING, "A key of a plugin's manifest that Claude Code does not read"
)
CLAUDE_MANIFEST_TYPE = Rule("claude-manifest-type", ERROR, "A key of a plugin's manifest has a value of the wrong type")
CLAUDE_MANIFEST_NAME = Rule("claude-manifest-name", WARNING, "A plugin's name is not in kebab case")
CLAUDE_MANIFEST_VERSION = Rule("claude-manifest-version", WARNING, "A plugin's version is not a semantic version")
CLAUDE_NO_DESCRIPTION = Rule("claude-no-description", NOTE, "A plugin without a description")

_PATHS = Either((TEXT, Listed(TEXT)))
_PERSON = Record({"name": TEXT}, {"email": TEXT, "url": TEXT})
_OPTION = Record(
    {"type": one_of("string", "number", "boolean", "directory", "file"), "title": TEXT, "description": TEXT},
    {
        "required": FLAG,
        "default": ANYTHING,
        "multiple": FLAG,
        "sensitive": FLAG,
        "min": ANYTHING,
        "max": ANYTHING,
    },
    closed=True,
)
_INLINE = Either((TEXT, TABLE, Listed(Either((TEXT, TABLE)))))
_SHAPE = Record(
    {},
    {
        "$schema": TEXT,
        "name": TEXT,
        "version": TEXT,
        "description": TEXT,
        "author": _PERSON,
        "homepage": TEXT,
        "repository": TEXT,
        "license": TEXT,
        "keywords": Listed(TEXT),
        "dependencies": Listed(Either((TEXT, TABLE))),
        "skills": _PATHS,
        "commands": Either((TEXT, Listed(TEXT), Mapped(TABLE))),
        "agents": _PATHS,
        "hooks": _INLINE,
        "mcpServers": _INLINE,
        "lspServers": _INLINE,
        "outputStyles": _PATHS,
        "themes": _PATHS,
        "monitors": _INLINE,
        "channels": Listed(TABLE),
        "userConfig": Mapped(_OPTION),
        "settings": TABLE,
        "defaultEnabled": FLAG,
        "displayName": TEXT,
        "workflows": ANYTHING,
        "mods": ANYTHING,
        "experimental": ANYTHING,
    },
    closed=True,
)
_KEBAB = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("claude-plugin")
    if manifest is None:
        return
    path, values = manifest
    pages = subject.pages
    for misfit in misfits(values, _SHAPE):
        name = ".".join(str(part) for part in misfit.path)
        place = pages.json_place(path, misfit.path)
        if misfit.unknown and len(misfit.path) == 1:
            hint = did_you_mean(name, _SHAPE.optional)
            yield CLAUDE_MANIFEST_KEY.at(path, f"`{name}` has no effect", place=place, hint=hint)
        else:
            message = misfit.message if misfit.unknown else f"`{name}` {misfit.message}"
            yield CLAUDE_MANIFEST_TYPE.at(path, message, place=place, hint=_hint(name, values))
    for rule, key, message, hint in _identity(values):
        yield rule.at(path, message, place=pages.json_place(path, (key,)), hint=hint)


def _hint(name: str, values: JsonObject) -> str:
    if name == "author" and isinstance(values.get("author"), str):
        return f'write {{"name": "{values["author"]}"}}'
    if name == "repository" and isinstance(values.get("repository"), dict):
        return "write the address alone"
    return ""


def _identity(values: JsonObject) -> Iterator[tuple[Rule, str, str, str]]:
    name, version = values.get("name"), values.get("version")
    if isinstance(name, str) and name and not _KEBAB.fullmatch(name):
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        yield CLAUDE_MANIFEST_NAME, "name", f"`{name}` is not in kebab case", f"write `{slug}`"
    if isinstance(version, str) and not is_semver(version):
        yield CLAUDE_MANIFEST_VERSION, "version", f"`{version}` is not a semantic version", ""
    if not values.get("description"):
        yield CLAUDE_NO_DESCRIPTION, "name", "the manifest has no `description`", ""


LINT = Lint("the manifest of a Claude Code plugin", _find, "claude-plugin")

"""The manifest of a Claude Code plugin: keys that are not read, types that make Claude Code reject the plugin."""

from __future__ import annotations

import re

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.checking.spelling import did_you_mean
from pisces.diagnostics import ERROR, NOTE, WARNING, Rule
from pisces.formats.fit import ANYTHING, FLAG, TABLE, TEXT, Either, Listed, Mapped, Record, misfits, one_of
from pisces.formats.json import JsonObject
from pisces.formats.semver import is_semver

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
        **dict.fromkeys(("required", "multiple", "sensitive"), FLAG),
        **dict.fromkeys(("default", "min", "max"), ANYTHING),
    },
    closed=True,
)
_INLINE = Either((TEXT, TABLE, Listed(Either((TEXT, TABLE)))))
_SHAPE = Record(
    {},
    {
        **dict.fromkeys("$schema name version description homepage repository license displayName".split(), TEXT),
        **dict.fromkeys(("skills", "agents", "outputStyles", "themes"), _PATHS),
        **dict.fromkeys(("hooks", "mcpServers", "lspServers", "monitors"), _INLINE),
        **dict.fromkeys(("workflows", "mods", "experimental"), ANYTHING),
        "author": _PERSON,
        "keywords": Listed(TEXT),
        "dependencies": Listed(Either((TEXT, TABLE))),
        "commands": Either((TEXT, Listed(TEXT), Mapped(TABLE))),
        "channels": Listed(TABLE),
        "userConfig": Mapped(_OPTION),
        "settings": TABLE,
        "defaultEnabled": FLAG,
    },
    closed=True,
)
_KEBAB = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")


def _flaws(manifest: JsonObject) -> Flaws:
    for misfit in misfits(manifest, _SHAPE):
        name = ".".join(str(part) for part in misfit.path)
        if misfit.unknown and len(misfit.path) == 1:
            hint = did_you_mean(name, _SHAPE.optional)
            yield Flaw(CLAUDE_MANIFEST_KEY, misfit.path, f"`{name}` has no effect", hint)
        else:
            message = misfit.message if misfit.unknown else f"`{name}` {misfit.message}"
            yield Flaw(CLAUDE_MANIFEST_TYPE, misfit.path, message, _hint(name, manifest))
    yield from _identity(manifest)


def _hint(name: str, values: JsonObject) -> str:
    if name == "author" and isinstance(values.get("author"), str):
        return f'write {{"name": "{values["author"]}"}}'
    if name == "repository" and isinstance(values.get("repository"), dict):
        return "write the address alone"
    return ""


def _identity(values: JsonObject) -> Flaws:
    name, version = values.get("name"), values.get("version")
    if isinstance(name, str) and name and not _KEBAB.fullmatch(name):
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        yield Flaw(CLAUDE_MANIFEST_NAME, ("name",), f"`{name}` is not in kebab case", f"write `{slug}`")
    if isinstance(version, str) and not is_semver(version):
        yield Flaw(CLAUDE_MANIFEST_VERSION, ("version",), f"`{version}` is not a semantic version")
    if not values.get("description"):
        yield Flaw(CLAUDE_NO_DESCRIPTION, ("name",), "the manifest has no `description`")


LINT = manifest_lint("the manifest of a Claude Code plugin", _flaws, "claude-plugin")

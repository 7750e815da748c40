"""The manifest of a Claude Code plugin: keys that are not read, shapes for which Claude Code refuses the plugin."""

from __future__ import annotations

import re

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.checking.spelling import did_you_mean
from pisces.diagnostics import ERROR, NOTE, WARNING, Rule
from pisces.formats.json import JsonObject
from pisces.formats.semver import is_semver
from pisces.harnesses.claude.hook_shape import GUARDS
from pisces.harnesses.claude.manifest_shape import FIELDS, LISTING_FIELDS
from pisces.harnesses.claude.refusals import manifest_refusals

CLAUDE_MANIFEST_KEY = Rule(
    "claude-manifest-key", WARNING, "A key of a plugin's manifest that Claude Code does not read"
)
CLAUDE_MANIFEST_TYPE = Rule("claude-manifest-type", ERROR, "A manifest for which Claude Code refuses the whole plugin")
CLAUDE_MANIFEST_NAME = Rule("claude-manifest-name", WARNING, "A plugin's name is not in kebab case")
CLAUDE_MANIFEST_RESERVED = Rule(
    "claude-manifest-reserved", WARNING, "A plugin's name sounds like one of Anthropic's own"
)
CLAUDE_MANIFEST_VERSION = Rule("claude-manifest-version", WARNING, "A plugin's version is not a semantic version")
CLAUDE_NO_DESCRIPTION = Rule("claude-no-description", NOTE, "A plugin without a description")

_KEBAB = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_RESERVED = re.compile(r"(?:claude|anthropics?|cc-plugin)-.*|claude|anthropics?")


def _flaws(manifest: JsonObject) -> Flaws:
    for key in manifest:
        if key not in FIELDS and key not in LISTING_FIELDS and key not in GUARDS:
            yield Flaw(CLAUDE_MANIFEST_KEY, (key,), f"`{key}` has no effect", did_you_mean(key, FIELDS))
    for refusal in manifest_refusals(manifest):
        hint = _hint(".".join(map(str, refusal.keys)), manifest)
        yield Flaw(CLAUDE_MANIFEST_TYPE, refusal.keys, refusal.message, hint)
    yield from _identity(manifest)


def _hint(name: str, values: JsonObject) -> str:
    if name == "author" and isinstance(values.get("author"), str):
        return f'write {{"name": "{values["author"]}"}}'
    if name.startswith("agents"):
        return "name every file, such as `./agents/reviewer.md`; `agents/` is read without being named"
    if name == "repository" and isinstance(values.get("repository"), dict):
        return "write the address alone"
    return ""


def _identity(values: JsonObject) -> Flaws:
    name, version = values.get("name"), values.get("version")
    if isinstance(name, str) and name and not _KEBAB.fullmatch(name):
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        yield Flaw(CLAUDE_MANIFEST_NAME, ("name",), f"`{name}` is not in kebab case", f"write `{slug}`")
    if isinstance(name, str) and _RESERVED.fullmatch(name.lower()):
        message = f"`{name}` is reserved for plugins of Anthropic: `claude plugin validate` refuses it"
        yield Flaw(CLAUDE_MANIFEST_RESERVED, ("name",), message)
    if isinstance(version, str) and not is_semver(version):
        yield Flaw(CLAUDE_MANIFEST_VERSION, ("version",), f"`{version}` is not a semantic version")
    if not values.get("description"):
        yield Flaw(CLAUDE_NO_DESCRIPTION, ("name",), "the manifest has no `description`")


LINT = manifest_lint("the manifest of a Claude Code plugin", _flaws, "claude-plugin")

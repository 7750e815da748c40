"""Keys of a Gemini manifest that are not read, or whose value has the wrong type.

Gemini CLI has no schema: it ignores unknown keys silently and fails later on wrong types.
"""

from __future__ import annotations

from pisces.checking.lint import Flaw, Flaws, manifest_lint, type_flaws
from pisces.checking.spelling import did_you_mean
from pisces.diagnostics import ERROR, NOTE, WARNING, Rule
from pisces.formats.fit import TEXT, Either, Listed, Mapped, Record
from pisces.formats.json import JsonObject

MANIFEST_KEY = Rule("manifest-key", WARNING, "A manifest key that Gemini CLI does not read")
MANIFEST_METADATA = Rule("manifest-metadata", NOTE, "A manifest key that only people read")
MANIFEST_TYPE = Rule("manifest-type", ERROR, "A manifest key has a value of the wrong type")

_SHAPES = {
    "description": TEXT,
    "mcpServers": Mapped(Record({})),
    "contextFileName": Either((TEXT, Listed(TEXT))),
    "excludeTools": Listed(TEXT),
    "settings": Listed(Record({})),
    "themes": Listed(Record({})),
    "plan": Record({}, {"directory": TEXT}),
    "migratedTo": TEXT,
}
KNOWN = ("name", "version", *_SHAPES)
_OURS = ("commands",)  # programs as commands: an object, which its finder validates
_METADATA = frozenset(
    """
    $schema author authors contributors license repository homepage keywords displayName publisher tags bugs
    sourceUrl documentation icon logo categories category funding title url
    """.split()
)
_HINTS = {
    "commands": "commands are the `.toml` files below `commands/`",
    "skills": "skills are the folders `skills/NAME/SKILL.md`",
    "agents": "subagents are the `.md` files in `agents/`",
    "hooks": "hooks stand in `hooks/hooks.json`",
    "policies": "policies are the `.toml` files in `policies/`",
    "contextFiles": "the key is called `contextFileName`",
    "contextFile": "the key is called `contextFileName`",
    "tools": "extensions cannot add tools; `excludeTools` removes some",
    "engines": "there is no way to ask for a version of Gemini CLI",
}


def _flaws(manifest: JsonObject) -> Flaws:
    for key, value in manifest.items():
        if key in _METADATA:
            yield Flaw(MANIFEST_METADATA, (key,), f"`{key}` is not read by Gemini CLI")
        elif key not in KNOWN and not (key in _OURS and isinstance(value, dict)):
            hint = _HINTS.get(key) or did_you_mean(key, KNOWN)
            yield Flaw(MANIFEST_KEY, (key,), f"`{key}` has no effect", hint)
    commands = manifest.get("commands")
    if isinstance(commands, dict) and isinstance(commands.get("directory"), str):
        yield Flaw(MANIFEST_KEY, ("commands", "directory"), "`commands.directory` has no effect", _HINTS["commands"])
    yield from type_flaws(MANIFEST_TYPE, manifest, _SHAPES)


LINT = manifest_lint("the keys of a Gemini manifest", _flaws, "gemini")

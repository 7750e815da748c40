"""Keys of a Gemini manifest that are not read, or whose value has the wrong type.

Gemini CLI has no schema: it ignores unknown keys silently and fails later on wrong types.
"""

from __future__ import annotations

from pisces.checking.lint import Lint
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.formats.fit import TEXT, Either, Listed, Mapped, Record, misfits

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
_KNOWN = ("name", "version", *_SHAPES)
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


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest is None:
        return
    path, values = manifest
    pages = subject.pages
    for key in values:
        if key in _METADATA:
            yield MANIFEST_METADATA.at(path, f"`{key}` is not read by Gemini CLI", place=pages.json_place(path, (key,)))
        elif key not in _KNOWN and not (key in _OURS and isinstance(values[key], dict)):
            hint = _HINTS.get(key) or did_you_mean(key, _KNOWN)
            yield MANIFEST_KEY.at(path, f"`{key}` has no effect", place=pages.json_place(path, (key,)), hint=hint)
    for misfit in misfits({key: value for key, value in values.items() if value is not None}, Record({}, _SHAPES)):
        name = ".".join(str(part) for part in misfit.path)
        yield MANIFEST_TYPE.at(path, f"`{name}` {misfit.message}", place=pages.json_place(path, misfit.path))


LINT = Lint("the keys of a Gemini manifest", _find, "gemini")

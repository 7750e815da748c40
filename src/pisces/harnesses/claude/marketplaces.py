"""The marketplaces of Claude Code: `.claude-plugin/marketplace.json`, whose plugins may lie in the same repository.

A misfit at the top loses the whole marketplace, one in an entry that plugin. Found as in `manifest_shape`.
"""

from __future__ import annotations

import re

from pisces.checking.lint import Flaw, Flaws
from pisces.checking.marketplace import Marketplace, listed_sources, missing_sources, names_listed_twice
from pisces.checking.spelling import did_you_mean
from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.formats.fit import ANYTHING, FLAG, TEXT, Either, Listed, Mapped, Record, Such, misfits, noun_of, one_of
from pisces.formats.json import JsonObject
from pisces.harnesses.claude.hook_shape import manifest_hook_flaws
from pisces.harnesses.claude.manifest_shape import FIELDS, FILLED, PERSON, URL, has_controls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLAUDE_MARKETPLACE = Rule("claude-marketplace", ERROR, "A marketplace that Claude Code does not take")
CLAUDE_MARKETPLACE_ENTRY = Rule(
    "claude-marketplace-entry", ERROR, "A marketplace's entry that Claude Code cannot install"
)
CLAUDE_MARKETPLACE_KEY = Rule(
    "claude-marketplace-key", WARNING, "A key of a marketplace that Claude Code does not read"
)

_ID = re.compile(r"[A-Za-z0-9][-A-Za-z0-9._]*")
_RESERVED = ("inline", "builtin", "skills-dir", "synced", "claude-plugin-test")
# Names that Claude Code gives to repositories of Anthropic alone; others that sound like them are refused.
_OFFICIAL = frozenset(
    """
    claude-code-marketplace claude-code-plugins claude-plugins-official anthropic-marketplace anthropic-plugins
    agent-skills anthropic-agent-skills life-sciences knowledge-work-plugins claude-for-legal
    claude-for-financial-services financial-services-plugins first-party-plugins claude-tag-plugins claude-community
    claude-plugins-community healthcare anthropic-plugin-directory claude-plugin-directory
    """.split()
)
_SOUNDS_OFFICIAL = re.compile(
    "official(?:anthropic|claude)|(?:anthropic|claude)official"
    "|(?:anthropic|claude)(?:marketplace|plugins|official|directory|directories)s?",
)
_SHA = TEXT.that(
    lambda text: "" if re.fullmatch(r"[a-f0-9]{40}", text) else "must be a whole commit id in small letters"
)
_COMMIT = {"ref": TEXT, "sha": _SHA}


def _name_flaw(name: str) -> str:
    if not _ID.fullmatch(name) or ".." in name or has_controls(name):
        return "must begin with a letter or digit, and have letters, digits, `-`, `_` and single dots only"
    if name.lower() in _RESERVED:
        return f"`{name}` is reserved"
    plain = re.sub(r"[^a-z0-9]+", "", name.lower())
    official = name.lower() not in _OFFICIAL and _SOUNDS_OFFICIAL.match(plain)
    return f"`{name}` sounds like a marketplace of Anthropic's own" if official else ""


def _entry_name_flaw(name: str) -> str:
    return (
        "" if _ID.fullmatch(name) else "must begin with a letter or digit, and have letters, digits, `.`, `_`, `-` only"
    )


def _archive_flaw(url: str) -> str:
    local = re.match(r"https://(?:localhost|127\.|169\.254\.|0\.|\[::1\])", url)
    return "" if url.startswith("https://") and not local else "must be an https address of another machine"


def _package_flaw(package: str) -> str:
    remote = re.match(r"(?i)(?:file|https?|git(?:\+https?|\+ssh)?|ssh|github|gitlab|bitbucket):", package)
    return "must not have `..` in it" if ".." in package and not remote else ""


_SOURCES = {
    "npm": Record({"package": TEXT.that(_package_flaw)}, {"version": TEXT, "registry": URL}),
    "url": Record({"url": TEXT}, _COMMIT),
    "github": Record({"repo": TEXT}, _COMMIT),
    "git-subdir": Record({"url": TEXT, "path": FILLED}, _COMMIT),
    "archive": Record({"url": TEXT.that(_archive_flaw)}, {"sha256": TEXT}),
    "command": Record({"command": FILLED}, {"timeout": ANYTHING, "mode": one_of("copy", "link")}),
}
_RELATIVE = TEXT.that(lambda text: "" if text == "." or text.startswith("./") else "must begin with `./`")
_ENTRY_FIELDS = {
    **{key: shape for key, shape in FIELDS.items() if key not in ("name", "hooks")},
    "headers": Mapped(TEXT),
    "headersHelper": TEXT,
    "category": TEXT,
    "tags": Listed(TEXT),
    "strict": FLAG,
    "relevance": ANYTHING,
    "hooks": ANYTHING,
}
_ENTRY = Record({"name": TEXT.that(_entry_name_flaw), "source": ANYTHING}, _ENTRY_FIELDS)


def _renames_flaw(values: JsonObject) -> tuple[str, str] | None:
    renames = values.get("renames") or {}
    known = {each.get("name") for each in values["plugins"] if isinstance(each, dict)} | set(renames)
    lost = [old for old, new in renames.items() if new is not None and new not in known]
    return ("renames", f"`{lost[0]}` becomes `{renames[lost[0]]}`, which is not listed") if lost else None


_SHAPE = Such(
    Record(
        {"name": TEXT.that(_name_flaw), "owner": PERSON, "plugins": Listed(ANYTHING)},
        {
            **dict.fromkeys(("$schema", "version", "description"), TEXT),
            "forceRemoveDeletedPlugins": FLAG,
            "metadata": Record({}, dict.fromkeys(("pluginRoot", "version", "description"), TEXT)),
            "allowCrossMarketplaceDependenciesOn": Listed(TEXT),
            "renames": Mapped(Either((TEXT, one_of().replace(noun="nothing", test=lambda value: value is None)))),
        },
    ),
    _renames_flaw,
)


def refusal(values: JsonObject) -> str:
    """Why Claude Code loads no plugin of a marketplace; empty where it does.

    A broken entry costs that plugin only, and a name that may not be used was asked about when it was added.
    """
    named = isinstance(values.get("name"), str)
    found = (each for each in misfits(values, _SHAPE) if not (named and each.path == ("name",)))
    return next((_sentence(each.path, each.message) for each in found), "")


def _flaws(values: JsonObject, folder: str) -> Flaws:
    for misfit in misfits(values, _SHAPE):
        yield Flaw(CLAUDE_MARKETPLACE, misfit.path, _sentence(misfit.path, misfit.message))
    known = (*_SHAPE.shape.required, *_SHAPE.shape.optional)
    for key in values:
        if key not in known:
            yield Flaw(CLAUDE_MARKETPLACE_KEY, (key,), f"`{key}` has no effect", did_you_mean(key, known))
    plugins = values.get("plugins")
    rooted = bool(_root_of(values))
    for index, entry in enumerate(plugins if isinstance(plugins, list) else ()):
        yield from _entry_flaws(entry, index, rooted)
    yield from names_listed_twice(values, CLAUDE_MARKETPLACE_ENTRY)
    yield from missing_sources(values, folder, MARKETPLACES[0], CLAUDE_MARKETPLACE_ENTRY)


def _entry_flaws(entry: Any, index: int, rooted: bool) -> Flaws:
    at, about = ("plugins", index), str(entry.get("name") or "") if isinstance(entry, dict) else ""
    for misfit in misfits(entry, _ENTRY):
        message = _sentence(misfit.path, misfit.message, f"entry `{about}`: " if about else "")
        yield Flaw(CLAUDE_MARKETPLACE_ENTRY, (*at, *misfit.path), message, about=about)
    if not isinstance(entry, dict):
        return
    for key in entry:
        if key not in _ENTRY_FIELDS and key not in _ENTRY.required:
            hint = did_you_mean(key, _ENTRY_FIELDS)
            yield Flaw(CLAUDE_MARKETPLACE_KEY, (*at, key), f"`{key}` has no effect", hint, about)
    if flaw := _source_flaw(entry.get("source", "./"), rooted):
        message = f"entry `{about}`: `{'.'.join(map(str, flaw[0]))}` {flaw[1]}"
        yield Flaw(CLAUDE_MARKETPLACE_ENTRY, (*at, *flaw[0]), message, about=about)
    for hook in manifest_hook_flaws(entry.get("hooks", {})):
        message = f"entry `{about}`: {hook.message}"
        yield Flaw(CLAUDE_MARKETPLACE_ENTRY, (*at, "hooks", *hook.keys), message, about=about)


def _source_flaw(source: Any, rooted: bool) -> tuple[tuple[str | int, ...], str] | None:
    if isinstance(source, str):
        if rooted and _ID.fullmatch(source):
            return None
        found = list(misfits(source, _RELATIVE)) if ".." not in source.split("/") else None
        return (("source",), "must not have `..` in it" if found is None else found[0].message) if found != [] else None
    if not isinstance(source, dict):
        return ("source",), f"must be a path or an object, not {noun_of(source)}"
    kind = source.get("source")
    shape = _SOURCES.get(kind) if isinstance(kind, str) else None
    if shape is None:
        return ("source", "source"), f"must be one of {', '.join(f'`{each}`' for each in _SOURCES)}"
    misfit = next(misfits(source, shape), None)
    return (("source", *misfit.path), misfit.message) if misfit else None


def _sentence(path: tuple[str | int, ...], message: str, before: str = "") -> str:
    where = ".".join(map(str, path))
    return f"{before}`{where}` {message}" if where else f"{before}it {message}"


def _root_of(values: JsonObject) -> str:
    metadata = values.get("metadata")
    root = metadata.get("pluginRoot") if isinstance(metadata, dict) else None
    return root if isinstance(root, str) and root and not root.startswith("/") and ".." not in root.split("/") else ""


MARKETPLACES = (Marketplace("claude", ".claude-plugin/marketplace.json", "claude-plugin", _flaws, listed_sources),)

"""`.claude-plugin/plugin.json`: Claude Code refuses the whole plugin for one field of another shape."""

from __future__ import annotations

import re

from pisces.converting.assembling import author_of, json_file, misshapen, repository_of
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, MAPPED, Fate, mapped
from pisces.converting.names import slug
from pisces.converting.writer import WriteOptions, Written
from pisces.formats.fit import misfits
from pisces.harnesses.claude import MANIFEST
from pisces.harnesses.claude.manifest_shape import FIELDS, name_flaw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginSetting
    from pisces.diagnostics import Rule

CARRIED = ("author", "homepage", "repository", "license", "keywords", "displayName")
_NOT_KEY = re.compile(r"[^A-Za-z0-9_]+")
_TYPES = ("string", "number", "boolean", "directory", "file")


def written_manifest(plugin: Plugin, _options: WriteOptions) -> Written:
    values: dict[str, Any] = {"name": claude_name(plugin.name)}
    fates = [*misshapen(plugin, ("author", "repository"), "Claude Code")]
    fates.append(Fate(MAPPED, "manifest", plugin.manifest, 0, "", MANIFEST))
    if values["name"] != plugin.name:
        why = f"Claude Code takes no name such as `{plugin.name}`: it is `{values['name']}`"
        fates.append(_about(plugin, CHANGED_MEANING, "name", why))
    values |= {key: value for key, value in _texts(plugin).items() if value}
    for key in [key for key in values if key != "name"]:
        flaw = next(misfits(values[key], FIELDS[key]), None)
        if flaw:
            del values[key]
            fates.append(_about(plugin, LOST_FIELD, key, f"`{key}` {flaw.message} in Claude Code"))
    if plugin.settings:
        values["userConfig"] = {option_key(each): _option(each) for each in plugin.settings}
        fates += [mapped(each, MANIFEST) for each in plugin.settings]
    return Written((json_file(MANIFEST, values),), tuple(fates))


def claude_name(name: str) -> str:
    return name if not name_flaw(name) and "/" not in name else slug(name)


def option_key(setting: PluginSetting) -> str:
    """A word that can be a variable."""
    key = _NOT_KEY.sub("_", setting.variable or setting.name)
    return key if key and not key[0].isdigit() else f"_{key}"


def _texts(plugin: Plugin) -> dict[str, Any]:
    found = plugin.metadata
    return {
        "version": plugin.version,
        "description": plugin.description,
        "author": author_of(found.get("author")),
        "homepage": found.get("homepage"),
        "repository": repository_of(found.get("repository")),
        "license": found.get("license"),
        "keywords": found.get("keywords"),
        "displayName": found.get("displayName"),
    }


def _option(setting: PluginSetting) -> dict[str, Any]:
    values: dict[str, Any] = {
        "type": setting.type if setting.type in _TYPES else "string",
        "title": setting.title or setting.name,
        "description": setting.description or setting.title or setting.name,
    }
    if setting.sensitive:
        values["sensitive"] = True
    if setting.required:
        values["required"] = True
    if isinstance(setting.default, str | int | float | bool):
        values["default"] = setting.default
    return values


def _about(plugin: Plugin, rule: Rule, field: str, why: str) -> Fate:
    kind = APPROXIMATED if rule is CHANGED_MEANING else DROPPED
    line = plugin.lines.get(field, 0)
    return Fate(kind, "manifest", plugin.manifest, line, field, MANIFEST, rule.code, rule.severity, why)

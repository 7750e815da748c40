"""`.codex-plugin/plugin.json`. Components are at their usual places, so that it names none."""

from __future__ import annotations

import re

from pisces.converting.assembling import author_of, json_file, misshapen, repository_of
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, MAPPED, Fate
from pisces.converting.names import slug
from pisces.converting.writer import WriteOptions, Written
from pisces.harnesses.codex import MANIFEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.plugin import Plugin

CARRIED = ("author", "homepage", "repository", "license", "keywords", "displayName")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def name_of(plugin: Plugin) -> str:
    return plugin.name if _NAME.fullmatch(plugin.name) else slug(plugin.name)


def written_manifest(plugin: Plugin, _options: WriteOptions) -> Written:
    name = name_of(plugin)
    values: dict[str, Any] = {"name": name, "version": plugin.version or "0.0.0", "description": plugin.description}
    found = plugin.metadata
    values["author"] = author_of(found.get("author"))
    values |= {key: found[key] for key in ("homepage", "license") if isinstance(found.get(key), str)}
    values["repository"] = repository_of(found.get("repository"))
    keywords = found.get("keywords")
    values["keywords"] = [each for each in keywords if isinstance(each, str)] if isinstance(keywords, list) else []
    if isinstance(found.get("displayName"), str):
        values["interface"] = {"displayName": found["displayName"]}
    fates = [*misshapen(plugin, CARRIED, "Codex"), Fate(MAPPED, "manifest", plugin.manifest, 0, "", MANIFEST)]
    if name != plugin.name:
        why = f"Codex takes no name such as `{plugin.name}`: it is `{name}`"
        rule, line = CHANGED_MEANING, plugin.lines.get("name", 0)
        path = plugin.manifest
        fates.append(Fate(APPROXIMATED, "manifest", path, line, "name", MANIFEST, rule.code, rule.severity, why))
    return Written((json_file(MANIFEST, {key: value for key, value in values.items() if value}),), tuple(fates))

"""`plugin.json` at the root. The standard knows its fields and no others; one of another shape rejects the plugin."""

from __future__ import annotations

from pisces.converting.assembling import author_of, json_file, misshapen, repository_of
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, MAPPED, Fate
from pisces.converting.names import slug
from pisces.converting.writer import WriteOptions, Written
from pisces.harnesses.agent_plugins.manifest import FILE, name_flaw, schema_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.plugin import Plugin

CARRIED = ("author", "homepage", "repository", "license", "keywords")
_LONGEST = 64


def written_manifest(plugin: Plugin, _options: WriteOptions) -> Written:
    name = plugin.name if not name_flaw(plugin.name) else slug(plugin.name)[:_LONGEST].strip("-")
    found = plugin.metadata
    keywords = found.get("keywords")
    texts: dict[str, Any] = {
        "version": plugin.version,
        "description": plugin.description,
        "author": author_of(found.get("author")),
        **{key: found.get(key) for key in ("homepage", "license") if isinstance(found.get(key), str)},
        "repository": repository_of(found.get("repository")),
        "keywords": [each for each in keywords if isinstance(each, str)] if isinstance(keywords, list) else [],
    }
    values = {"$schema": schema_address("plugin"), "name": name, **{key: each for key, each in texts.items() if each}}
    fates = [*misshapen(plugin, CARRIED, "Agent Plugins"), Fate(MAPPED, "manifest", plugin.manifest, 0, "", FILE)]
    if name != plugin.name:
        rule, line, path = CHANGED_MEANING, plugin.lines.get("name", 0), plugin.manifest
        why = f"the standard has no name such as `{plugin.name}`: it is `{name}`"
        fates.append(Fate(APPROXIMATED, "manifest", path, line, "name", FILE, rule.code, rule.severity, why))
    return Written((json_file(FILE, values),), tuple(fates))

"""`gemini-extension.json`: name, version, description, MCP servers and settings."""

from __future__ import annotations

import json
from hashlib import sha256

from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_COMPONENT,
    LOST_FIELD,
    MAPPED,
    Fate,
    lost,
)
from pisces.converting.writer import OutputFile, Written
from pisces.formats.semver import is_semver
from pisces.harnesses.gemini import CONTEXT_FILE, MANIFEST
from pisces.harnesses.gemini.writing.names import LABEL
from pisces.harnesses.gemini.writing.servers import written_servers
from pisces.harnesses.gemini.writing.settings import unsettable, written_settings
from pisces.harnesses.gemini.writing.spelling import installed
from pisces.harnesses.gemini.writing.texts import InstructionText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.plugin import Plugin
    from pisces.diagnostics import Rule
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

_COMPONENTS = (
    "commands",
    "agents",
    "skills",
    "hooks",
    "mcpServers",
    "mcp",
    "userConfig",
    "settings",
    "contextFileName",
)
_HANDLED = ("$schema", "name", "version", "description", *_COMPONENTS)
_SAME = ("name", "version", "description")
_MOST_DIGITS = 9


def written_manifest(plan: ExtensionPlan) -> Written:
    plugin, options = plan.plugin, plan.options
    servers = written_servers(plan, MANIFEST)
    context, fates = _context(plan)
    fates += [*servers.fates, *_rest(plugin), *_fields(plugin)]
    if options.root:
        return Written(context, (*fates, *unsettable(plan)), servers.entries)
    version, changed = _version(plugin)
    values: dict[str, Any] = {"name": plan.names.extension, "version": version}
    if plugin.description:
        values["description"] = plugin.description
    settings, more = written_settings(plan, servers.secrets, MANIFEST)
    if servers.entries:
        values["mcpServers"] = servers.entries
    if settings:
        values["settings"] = settings
    data = json.dumps(values, indent=2, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    said = [
        Fate(MAPPED, f"package `{plugin.name}`", plugin.manifest, 0, key, MANIFEST) for key in _SAME if key in values
    ]
    return Written((OutputFile(MANIFEST, data), *context), (*said, *fates, *more, *changed, *_name(plugin, plan)))


def _version(plugin: Plugin) -> tuple[str, list[Fate]]:
    """Gemini CLI demands one: without a version of the author's, it changes with what the package holds."""
    if is_semver(plugin.version):
        return plugin.version, []
    numbers = plugin.version.removeprefix("v").split(".")
    if len(numbers) <= 3 and all(each.isascii() and each.isdigit() and len(each) <= _MOST_DIGITS for each in numbers):
        version = ".".join(str(int(each)) for each in (*numbers, "0", "0")[:3])
    else:
        version = f"0.0.0+{_digest(plugin)}"
    why = f"the version is `{version}`: {LABEL} demands one of three numbers"
    return version, [_about_package(APPROXIMATED, CHANGED_MEANING, plugin, "version", why)]


def _digest(plugin: Plugin) -> str:
    texts = [each.prompt.written for each in plugin.commands]
    texts += [each.prompt.written for each in plugin.skills] + [each.prompt.written for each in plugin.agents]
    files = [f"{each.path} {each.size}" for each in plugin.files]
    return sha256("\0".join((plugin.version, *texts, *files)).encode("utf-8", "replace")).hexdigest()[:8]


def _name(plugin: Plugin, plan: ExtensionPlan) -> list[Fate]:
    if plan.names.extension == plugin.name:
        return []
    why = f"the extension is called `{plan.names.extension}`: letters, digits and dashes only"
    return [_about_package(APPROXIMATED, CHANGED_MEANING, plugin, "name", why)]


def _fields(plugin: Plugin) -> list[Fate]:
    fields = plugin.fields or plugin.metadata
    said = {str(each.keys[0]) for each in plugin.rest if each.keys} | {each.field for each in plugin.fates}
    return [
        _about_package(DROPPED, LOST_FIELD, plugin, key, f"a manifest of {LABEL} has no `{key}`")
        for key in fields
        if key not in _HANDLED and key not in said
    ]


def _rest(plugin: Plugin) -> list[Fate]:
    return [lost(DROPPED, LOST_COMPONENT, each, f"an extension of {LABEL} has no place for it") for each in plugin.rest]


def _context(plan: ExtensionPlan) -> tuple[tuple[OutputFile, ...], list[Fate]]:
    """Nothing is filled in there either, as in commands."""
    texts: list[str] = []
    fates: list[Fate] = []
    for each in plan.plugin.contexts:
        writer = InstructionText(each, plan, installed(plan))
        texts.append(writer.text())
        fates += [*writer.fates, Fate(MAPPED, f"context `{each.name}`", each.path, output=CONTEXT_FILE)]
    data = "\n\n".join(texts).encode("utf-8", "replace")
    return ((OutputFile(CONTEXT_FILE, data),) if texts else ()), fates


def _about_package(kind: str, rule: Rule, plugin: Plugin, field: str, why: str) -> Fate:
    line = plugin.lines.get(field) or 0
    return Fate(kind, f"package `{plugin.name}`", plugin.manifest, line, field, "", rule.code, rule.severity, why)

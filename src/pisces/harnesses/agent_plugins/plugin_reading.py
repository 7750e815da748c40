"""How an Agent Plugin is read for other harnesses: two variables, and folders of clients that only those read."""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.manifest_rest import unread_keys
from pisces.converting.named_variables import NamedVariables
from pisces.converting.plugin import PluginAgent, PluginCommand, PluginRest
from pisces.converting.reading import PluginReader, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginItem
    from pisces.converting.prompt_text import PromptText
    from pisces.converting.reading import PackageReading

_VARIABLES = NamedVariables({"PLUGIN_ROOT": neutral.ROOT, "PLUGIN_DATA": neutral.DATA})
_READ = ("name", "version", "description", "icon", "extensions")


def _template(text: str, kind: type[PluginItem], fields: Mapping[str, Any]) -> PromptText:
    """The standard has no commands and no subagents: those of our own namespace are in Claude Code's words."""
    if issubclass(kind, PluginCommand | PluginAgent):
        return reader_of("claude").template(text, kind, fields)
    return _VARIABLES.in_text(text)


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (*plugin.rest, *unread_keys(plugin, reading, _READ), *_namespaces(plugin, reading))
    return plugin.replace(rest=rest)


def _namespaces(plugin: Plugin, reading: PackageReading) -> Iterator[PluginRest]:
    """What the manifest says to single clients."""
    declared = plugin.fields.get("extensions")
    path = reading.files.absolute(plugin.manifest)
    for name, entry in declared.items() if isinstance(declared, dict) else ():
        keys = ("extensions", name)
        fields = entry if isinstance(entry, dict) else {"": entry}
        yield PluginRest(str(name), plugin.manifest, fields, reading.files.lines(path, keys, ()), "namespace", keys)


READER = PluginReader(_template, _completed, _VARIABLES.in_string)

"""How a Codex plugin is read for other harnesses: `$ARGUMENTS` and `$1` to `$9` in commands; two names for the root."""

from __future__ import annotations

import re

from pisces.converting import prompt_text as neutral
from pisces.converting.manifest_rest import named_values, unread_keys
from pisces.converting.named_variables import NamedVariables
from pisces.converting.plugin import PluginCommand
from pisces.converting.prompt_text import PromptArgument, PromptArguments, PromptText
from pisces.converting.reading import PluginReader
from pisces.converting.text_parts import cut, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginItem
    from pisces.converting.prompt_text import Part
    from pisces.converting.reading import PackageReading

_NAMES = {
    "PLUGIN_ROOT": neutral.ROOT,
    "CLAUDE_PLUGIN_ROOT": neutral.ROOT,
    "PLUGIN_DATA": neutral.DATA,
    "CLAUDE_PLUGIN_DATA": neutral.DATA,
}
_VARIABLES = NamedVariables(_NAMES)
_ARGUMENT = re.compile(r"\$\$|\$(?P<number>[1-9])(?!\w)|\$ARGUMENTS", re.ASCII)
_READ = ("name", "version", "description", "mcpServers", "hooks", "commands", "skills", "apps")


def _template(text: str, kind: type[PluginItem], _fields: Mapping[str, Any]) -> PromptText:
    found = _VARIABLES.in_text(text)
    if not issubclass(kind, PluginCommand):
        return found
    texts = (cut(each, _ARGUMENT, _argument) if isinstance(each, str) else (each,) for each in found.parts)
    return PromptText(joined(part for parts in texts for part in parts))


def _argument(match: re.Match[str]) -> Part:
    if match["number"]:
        return PromptArgument(int(match["number"]) - 1, match[0])
    return match[0] if match[0] == "$$" else PromptArguments(match[0])


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (*named_values(plugin, reading, "apps", "app"), *unread_keys(plugin, reading, _READ))
    return plugin.replace(rest=(*plugin.rest, *rest))


READER = PluginReader(_template, _completed, _VARIABLES.in_string, listings=(".agents/plugins/marketplace.json",))

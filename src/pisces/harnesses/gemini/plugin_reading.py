"""How an extension of Gemini CLI is read for other harnesses: its prompts, its variables, and what only it has.

Variables count in the manifest, in hooks and in the texts of skills and subagents; in commands they are text.
"""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.brace_text import brace_text
from pisces.converting.manifest_rest import named_values, unread_keys
from pisces.converting.named_variables import NamedVariables
from pisces.converting.plugin import PluginCommand
from pisces.converting.reading import PluginReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginItem
    from pisces.converting.prompt_text import PromptText
    from pisces.converting.reading import PackageReading

_VARIABLES = NamedVariables({"extensionPath": neutral.ROOT, "workspacePath": neutral.PROJECT})
_READ = ("name", "version", "description", "mcpServers", "settings", "contextFileName", "excludeTools", "themes")


def _template(text: str, kind: type[PluginItem], _fields: Mapping[str, Any]) -> PromptText:
    return brace_text(text) if issubclass(kind, PluginCommand) else _VARIABLES.in_text(text)


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (*named_values(plugin, reading, "excludeTools", "excluded tool"), *unread_keys(plugin, reading, _READ))
    raw = reading.files.part(reading.files.absolute(plugin.manifest), ()) if plugin.manifest else None
    return plugin.replace(rest=(*plugin.rest, *rest), fields=raw if isinstance(raw, dict) else plugin.fields)


READER = PluginReader(_template, _completed, _VARIABLES.in_string)

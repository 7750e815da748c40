"""How an extension of Qwen Code is read for other harnesses: prompts in braces, in Markdown and TOML alike."""

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

_NAMES = {"extensionPath": neutral.ROOT, "CLAUDE_PLUGIN_ROOT": neutral.ROOT, "workspacePath": neutral.PROJECT}
_VARIABLES = NamedVariables(_NAMES)
_READ = (
    *("name", "version", "description", "mcpServers", "settings", "contextFileName", "hooks", "excludeTools"),
    *("commands", "skills", "agents", "lspServers", "channels"),
)


def _template(text: str, kind: type[PluginItem], _fields: Mapping[str, Any]) -> PromptText:
    return brace_text(text) if issubclass(kind, PluginCommand) else _VARIABLES.in_text(text)


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (
        *named_values(plugin, reading, "excludeTools", "excluded tool"),
        *named_values(plugin, reading, "lspServers", "language server"),
        *named_values(plugin, reading, "channels", "channel"),
        *unread_keys(plugin, reading, _READ),
    )
    return plugin.replace(rest=(*plugin.rest, *rest))


READER = PluginReader(_template, _completed, _VARIABLES.in_string)

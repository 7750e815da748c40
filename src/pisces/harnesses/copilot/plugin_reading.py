"""How a plugin of Copilot is read for other harnesses: it takes texts of Claude Code as they are.

The root has the names of two programs.
"""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.manifest_rest import named_values, unread_keys
from pisces.converting.named_variables import NamedVariables
from pisces.converting.prompt_text import PromptText
from pisces.converting.reading import PluginReader, reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.plugin import Plugin, PluginItem
    from pisces.converting.reading import PackageReading

_VARIABLES = NamedVariables(
    {
        "COPILOT_PLUGIN_ROOT": neutral.ROOT,
        "CLAUDE_PLUGIN_ROOT": neutral.ROOT,
        "PLUGIN_ROOT": neutral.ROOT,
        "CLAUDE_PROJECT_DIR": neutral.PROJECT,
        "CLAUDE_PLUGIN_DATA": neutral.DATA,
        "CLAUDE_SKILL_DIR": neutral.SKILL_FOLDER,
        "CLAUDE_SESSION_ID": neutral.SESSION,
    }
)
_READ = (
    *("name", "version", "description", "mcpServers", "hooks", "commands", "skills", "agents", "lspServers"),
    *("category", "tags", "strict"),
)


def _template(text: str, kind: type[PluginItem], fields: Mapping[str, Any]) -> PromptText:
    found = reader_of("claude").template(text, kind, fields)
    parts = (_VARIABLES.in_text(each).parts if isinstance(each, str) else (each,) for each in found.parts)
    return PromptText(tuple(part for inside in parts for part in inside))


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (
        *named_values(plugin, reading, "lspServers", "language server"),
        *unread_keys(plugin, reading, _READ),
    )
    return plugin.replace(rest=(*plugin.rest, *rest))


READER = PluginReader(
    _template,
    _completed,
    _VARIABLES.in_string,
    listings=(".plugin/marketplace.json", ".github/plugin/marketplace.json"),
)

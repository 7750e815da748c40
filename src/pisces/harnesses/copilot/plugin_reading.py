"""How a plugin of Copilot is read for other harnesses: the root has the names of two programs."""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.manifest_rest import named_values, unread_keys
from pisces.converting.named_variables import NamedVariables, filled_by
from pisces.converting.reading import PluginReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.plugin import Plugin
    from pisces.converting.reading import PackageReading

_VARIABLES = NamedVariables(
    {
        "COPILOT_PLUGIN_ROOT": neutral.ROOT,
        "CLAUDE_PLUGIN_ROOT": neutral.ROOT,
        "PLUGIN_ROOT": neutral.ROOT,
        "CLAUDE_PROJECT_DIR": neutral.PROJECT,
    }
)
_READ = (
    *("name", "version", "description", "mcpServers", "hooks", "commands", "skills", "agents", "lspServers"),
    *("category", "tags", "strict"),
)


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (
        *named_values(plugin, reading, "lspServers", "language server"),
        *unread_keys(plugin, reading, _READ),
    )
    return plugin.replace(rest=(*plugin.rest, *rest))


READER = PluginReader(
    filled_by(_VARIABLES),
    _completed,
    _VARIABLES.in_string,
    listings=(".plugin/marketplace.json", ".github/plugin/marketplace.json"),
)

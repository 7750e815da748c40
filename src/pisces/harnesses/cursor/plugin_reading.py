"""How a plugin of Cursor is read for other harnesses: plain prompts; `variables` are what it asks its user for."""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.manifest_rest import unread_keys
from pisces.converting.named_variables import NamedVariables, filled_by
from pisces.converting.plugin import PluginSetting
from pisces.converting.reading import PluginReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.plugin import Plugin, PluginAgent
    from pisces.converting.reading import PackageReading

_VARIABLES = NamedVariables(
    {
        "CURSOR_PLUGIN_ROOT": neutral.ROOT,
        "CLAUDE_PLUGIN_ROOT": neutral.ROOT,
        "workspaceFolder": neutral.PROJECT,
        "CURSOR_PROJECT_DIR": neutral.PROJECT,
        "CLAUDE_PROJECT_DIR": neutral.PROJECT,
    }
)
_CHANGING = ("Write", "Edit", "MultiEdit", "NotebookEdit", "Bash")  # in words that every other program knows
_READ = (
    *("name", "version", "description", "mcpServers", "hooks", "commands", "skills", "agents", "rules", "variables"),
    "logo",
)


def _completed(plugin: Plugin, reading: PackageReading) -> Plugin:
    rest = (*plugin.rest, *unread_keys(plugin, reading, _READ))
    agents = tuple(map(_limited, plugin.agents))
    return plugin.replace(rest=rest, agents=agents, settings=(*plugin.settings, *_settings(plugin, reading)))


def _limited(agent: PluginAgent) -> PluginAgent:
    """`readonly` is the only limit that Cursor has: whoever has no such word has a list of what is denied."""
    if agent.fields.get("readonly") is not True:
        return agent
    others = {key: value for key, value in agent.fields.items() if key != "readonly"}
    return agent.replace(fields=others, disallowed_tools=_CHANGING)


def _settings(plugin: Plugin, reading: PackageReading) -> Iterator[PluginSetting]:
    declared = plugin.fields.get("variables")
    path = reading.files.absolute(plugin.manifest) if plugin.manifest else ""
    for name, entry in declared.items() if isinstance(declared, dict) else ():
        fields = entry if isinstance(entry, dict) else {"default": entry}
        keys = ("variables", name)
        text = str(fields.get("description") or "")
        secret = fields.get("sensitive") is True or fields.get("secret") is True
        made = PluginSetting(str(name), plugin.manifest, fields, reading.files.lines(path, keys, fields), str(name))
        yield made.replace(
            description=text, variable=str(name), sensitive=secret, keys=keys, default=fields.get("default")
        )


READER = PluginReader(
    filled_by(_VARIABLES), _completed, _VARIABLES.in_string, listings=(".cursor-plugin/marketplace.json",)
)

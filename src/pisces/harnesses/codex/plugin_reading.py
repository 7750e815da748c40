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

    from pisces.converting.plugin import Plugin, PluginItem, PluginServer
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
_OF_ENVIRONMENT = ("http_headers", "env_http_headers", "bearer_token_env_var", "env_vars")
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
    return plugin.replace(rest=(*plugin.rest, *rest), servers=tuple(map(_in_usual_words, plugin.servers)))


def _in_usual_words(server: PluginServer) -> PluginServer:
    """Codex names variables of the environment in fields of their own; an address is always spoken to over HTTP."""
    fields = {key: value for key, value in server.fields.items() if key not in _OF_ENVIRONMENT}
    headers = {**_table(server, "headers"), **_table(server, "http_headers")}
    headers |= {key: f"${{{name}}}" for key, name in _table(server, "env_http_headers").items()}
    token, names = server.fields.get("bearer_token_env_var"), server.fields.get("env_vars")
    headers |= {"Authorization": f"Bearer ${{{token}}}"} if isinstance(token, str) and token else {}
    passed = [each for each in names if isinstance(each, str)] if isinstance(names, list) else []
    env = {**_table(server, "env"), **{each: f"${{{each}}}" for each in passed}}
    fields |= {"headers": headers} if headers else {}
    fields |= {"env": env} if env else {}
    return server.replace(fields={"type": "http", **fields} if fields.get("url") else fields)


def _table(server: PluginServer, key: str) -> dict[str, Any]:
    found = server.fields.get(key)
    return dict(found) if isinstance(found, dict) else {}


READER = PluginReader(_template, _completed, _VARIABLES.in_string, listings=(".agents/plugins/marketplace.json",))

"""A subagent: a named system prompt with its own tools, model and limits."""

from __future__ import annotations

from pisces.shapes.field import Flag, Keys, Number, Table, Text, WordList
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Subagent(Value):
    """`fields` is the header or entry as found, `keys` lead to it in its file; `prompt` is the system prompt.

    `tools` is None where the file does not say, which means all of the parent's tools. `kind` is local or remote.
    """

    name: str
    description: str
    path: str
    fields: Mapping[str, Any]
    prompt: str
    kind: str = "local"
    tools: tuple[str, ...] | None = None
    model: str = ""
    keys: Keys = ()

    display_name = Text("display_name")
    mode = Text("mode")
    max_turns = Number("max_turns", "maxTurns", "steps", "maxSteps")
    timeout_minutes = Number("timeout_mins")
    temperature = Number("temperature")
    top_p = Number("top_p")
    effort = Text("effort", "model_reasoning_effort", "reasoningEffort")
    permission_mode = Text("permissionMode", "approvalMode")
    permission = Table("permission")
    sandbox_mode = Text("sandbox_mode")
    hooks = Table("hooks")
    skills = WordList("skills")
    memory = Text("memory")
    background = Flag("background")
    isolation = Text("isolation")
    color = Text("color")
    initial_prompt = Text("initialPrompt")
    agent_card_url = Text("agent_card_url")
    agent_card_json = Text("agent_card_json")
    auth = Table("auth")

    _disallowed = WordList("disallowedTools")
    _switches = Table("tools")

    @property
    def disallowed_tools(self) -> tuple[str, ...]:
        """Those that are named as such, or switched off in a mapping of tools."""
        return self._disallowed or tuple(tool for tool, on in self._switches.items() if on is False)

    @property
    def servers_key(self) -> str:
        """How the file spells `mcp_servers`; empty where it has none."""
        return next((key for key in _SERVERS if key in self.fields), "")

    @property
    def mcp_servers(self) -> Mapping[str, Any]:
        """Name to configuration; None stands for the configuration of a server that is only named."""
        found: Any = self.fields.get(self.servers_key, {})
        if isinstance(found, dict):
            return found
        named: dict[str, Any] = {}
        for each in found if isinstance(found, list) else ():
            named.update(each if isinstance(each, dict) else {str(each): None})
        return named


_SERVERS = ("mcp_servers", "mcpServers", "mcp-servers")

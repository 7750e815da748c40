"""A policy rule: may this tool be called with these arguments? allow, ask_user or deny."""

from __future__ import annotations

from pisces.shapes.field import Flag, Keys, Several, Table, Text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class PolicyRule(Value):
    """One rule of a file makes several of these, one for each tool and pattern; `fields` is the rule as found.

    `priority` holds the tier too: 2.1 is priority 100 in tier 2. `kind` is rule or safety_checker.
    """

    tool_name: str | None
    decision: str
    priority: float
    path: str
    args_pattern: str
    kind: str
    fields: Mapping[str, Any]
    keys: Keys

    tool_names = Several("toolName")
    mcp_name = Text("mcpName")
    subagent = Text("subagent")
    command_prefix = Several("commandPrefix")
    command_regex = Text("commandRegex")
    modes = Several("modes")
    interactive = Flag("interactive")
    tool_annotations = Table("toolAnnotations")
    allow_redirection = Flag("allowRedirection", "allow_redirection")
    deny_message = Text("denyMessage", "deny_message")
    checker = Table("checker")

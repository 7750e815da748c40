"""A policy rule: may this tool be called with these arguments? allow, ask_user or deny."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class PolicyRule(Value):
    """`priority` holds the tier too: 2.1 is priority 100 in tier 2. `kind` is rule or safety_checker."""

    tool_name: str | None
    decision: str
    priority: float
    path: str
    args_pattern: str = ""
    kind: str = "rule"
    fields: Any = None

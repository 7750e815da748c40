"""A subagent: a named system prompt with its own tools, model and limits."""

from __future__ import annotations

from pisces.value import Value


class Subagent(Value):
    """`tools` is None where the file does not say, which means all of the parent's tools."""

    name: str
    description: str
    path: str
    kind: str = "local"
    tools: tuple[str, ...] | None = None
    model: str = ""

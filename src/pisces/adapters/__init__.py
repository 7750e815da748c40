"""A host in agent frameworks, one file each: instructions, tools, and every tool call through the gates.

Here is what they share: a host for programs without an event loop, and what a run of a gated agent may raise.
"""

from __future__ import annotations

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.adapters.conversation import AgentStopped as AgentStopped, PromptBlocked as PromptBlocked
    from pisces.adapters.in_thread import host_in_thread as host_in_thread
    from pisces.adapters.ungated import UngatedTool as UngatedTool

_FILES = {
    "AgentStopped": "conversation",
    "PromptBlocked": "conversation",
    "UngatedTool": "ungated",
    "host_in_thread": "in_thread",
}

if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _FILES:
            raise AttributeError(f"module 'pisces.adapters' has no attribute {name!r}")
        return export_of("pisces.adapters", _FILES[name], name)

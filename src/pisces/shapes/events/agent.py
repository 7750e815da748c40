"""The agent's loop: a prompt comes in, turns are taken, messages grow and end."""

from __future__ import annotations

from pisces.shapes.event import Blockable, Event, Guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self


class Input(Blockable):
    """What the user typed, before anything is made of it. A handler may rewrite, handle or block it."""

    NAME = "input"

    text: str
    images: Sequence[Any] = ()
    source: str = "interactive"
    handled: bool = False
    blocked: bool = False
    reason: str = ""

    @property
    def is_settled(self) -> bool:
        return self.handled or self.blocked

    def handle(self) -> Self:
        return self.replace(handled=True)


class PromptExpansion(Guarded):
    """A slash command becomes a prompt. `kind` is the kind of command, `source` who brings it."""

    NAME = "prompt_expansion"

    command: str
    args: str = ""
    kind: str = ""
    source: str = ""
    prompt: str = ""
    blocked: bool = False
    reason: str = ""


class BeforeAgentStart(Event):
    """`messages` are put before the model's first turn; every handler may append one."""

    NAME = "before_agent_start"

    prompt: str
    images: Sequence[Any] = ()
    system_prompt: str = ""
    messages: Sequence[Mapping[str, Any]] = ()

    def with_message(self, message: Mapping[str, Any]) -> Self:
        return self.replace(messages=(*self.messages, message))


class AgentStart(Event):
    NAME = "agent_start"


class AgentEnd(Event):
    NAME = "agent_end"

    messages: Sequence[Any] = ()
    will_continue: bool = False


class AgentSettled(Event):
    NAME = "agent_settled"


class TurnStart(Event):
    NAME = "turn_start"

    turn_index: int = 0
    timestamp: float = 0


class TurnEnd(Event):
    NAME = "turn_end"

    turn_index: int = 0
    message: Any = None
    tool_results: Sequence[Any] = ()


class MessageStart(Event):
    NAME = "message_start"

    message: Any


class MessageUpdate(Event):
    NAME = "message_update"

    message: Any
    delta: Any = None


class MessageEnd(Event):
    """A handler may replace the message before it is stored."""

    NAME = "message_end"

    message: Any

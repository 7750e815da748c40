"""The agent's loop: a prompt comes in, turns are taken, messages grow and end."""

from __future__ import annotations

from pisces.shapes.event import Blockable, Event, Guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self

    from pisces.shapes.note import Note


class Input(Blockable):
    """What the user typed, before anything is made of it. A handler may rewrite, handle or block it."""

    text: str
    images: Sequence[Any] = ()
    source: str = "interactive"
    handled: bool = False
    blocked: bool = False
    reason: str = ""
    notes: Sequence[Note] = ()

    @property
    def is_settled(self) -> bool:
        return self.handled or self.blocked

    def handle(self) -> Self:
        return self.replace(handled=True).noted("handle")


class PromptExpansion(Guarded):
    """A slash command becomes a prompt. `kind` is the kind of command, `source` who brings it."""

    command: str
    args: str = ""
    kind: str = ""
    source: str = ""
    prompt: str = ""
    blocked: bool = False
    reason: str = ""
    notes: Sequence[Note] = ()


class BeforeAgentStart(Event):
    """`messages` are put before the model's first turn; every handler may append one."""

    prompt: str
    images: Sequence[Any] = ()
    system_prompt: str = ""
    messages: Sequence[Mapping[str, Any]] = ()

    def with_message(self, message: Mapping[str, Any]) -> Self:
        return self.replace(messages=(*self.messages, message)).noted("with_message")


class AgentStart(Event): ...


class AgentEnd(Event):
    messages: Sequence[Any] = ()
    will_continue: bool = False


class AgentSettled(Event): ...


class QueueUpdate(Event):
    """What the user or a module has sent while the agent works. `steered` is read before the next request to the model,
    `queued` when the agent is done.
    """

    steered: Sequence[str] = ()
    queued: Sequence[str] = ()


class TurnStart(Event):
    turn_index: int = 0
    timestamp: float = 0


class TurnEnd(Event):
    turn_index: int = 0
    message: Any = None
    tool_results: Sequence[Any] = ()


class MessageStart(Event):
    message: Any


class MessageUpdate(Event):
    message: Any
    delta: Any = None


class MessageEnd(Event):
    """A handler may replace the message before it is stored."""

    message: Any

"""What goes to a model and what comes back, and which model it is."""

from __future__ import annotations

from pisces.shapes.event import Blockable, Cancellable, Event, Guarded
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Context(Event):
    """The messages of the next request: a handler may return others."""

    messages: Sequence[Any]


class BeforeModel(Guarded):
    """A request to a model, in a shape that no provider owns: model, messages, config. A handler may change `request`,
    bring the `response` so that no model is asked, or block it.
    """

    request: Mapping[str, Any]
    response: Any = None
    blocked: bool = False
    reason: str = ""

    @property
    def is_settled(self) -> bool:
        return self.blocked or self.response is not None


class BeforeToolSelection(Event):
    """Which tools the model may choose from: `tools` by name, `mode` auto, any (one of them) or none."""

    request: Mapping[str, Any]
    tools: Sequence[str] = ()
    mode: str = "auto"


class AfterModel(Blockable):
    """What the model answered. A handler may replace `response`, or block it from going on."""

    request: Mapping[str, Any]
    response: Any
    blocked: bool = False
    reason: str = ""


class BeforeModelSwitch(Cancellable):
    """The user chose another model. `source` is where: a command, a setting. `requested` is what the user wrote.

    `cost` is what the switch is known to cost, in fields that no harness shares.
    """

    model: Any
    previous_model: Any = None
    source: str = "set"
    requested: str = ""
    cost: Mapping[str, Any] = EMPTY
    cancelled: bool = False
    reason: str = ""


class BeforeProviderRequest(Event):
    """The raw payload, as the provider will get it; what a handler returns replaces it."""

    payload: Any


class BeforeProviderHeaders(Event):
    headers: Mapping[str, str]


class AfterProviderResponse(Event):
    status: int
    headers: Mapping[str, str] = EMPTY


class ModelSelect(Event):
    """`source` is set, cycle or restore."""

    model: Any
    previous_model: Any = None
    source: str = "set"


class ThinkingLevelSelect(Event):
    level: str
    previous_level: str = ""


class CredentialDisabled(Event):
    provider: str
    cause: str = ""


class AutoRetryStart(Event):
    attempt: int = 1
    delay: float = 0
    error: str = ""


class AutoRetryEnd(Event):
    attempt: int = 1
    success: bool = False
    error: str = ""

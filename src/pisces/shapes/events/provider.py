"""What goes to a model and what comes back, and which model it is."""

from __future__ import annotations

from pisces.shapes.event import Event
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Context(Event):
    """The messages of the next request: a handler may return others."""

    NAME = "context"

    messages: Sequence[Any]


class BeforeProviderRequest(Event):
    """The raw payload, as the provider will get it; what a handler returns replaces it."""

    NAME = "before_provider_request"

    payload: Any


class BeforeProviderHeaders(Event):
    NAME = "before_provider_headers"

    headers: Mapping[str, str]


class AfterProviderResponse(Event):
    NAME = "after_provider_response"

    status: int
    headers: Mapping[str, str] = EMPTY


class ModelSelect(Event):
    """`source` is set, cycle or restore."""

    NAME = "model_select"

    model: Any
    previous_model: Any = None
    source: str = "set"


class ThinkingLevelSelect(Event):
    NAME = "thinking_level_select"

    level: str
    previous_level: str = ""


class CredentialDisabled(Event):
    NAME = "credential_disabled"

    provider: str
    cause: str = ""


class AutoRetryStart(Event):
    NAME = "auto_retry_start"

    attempt: int = 1
    delay: float = 0
    error: str = ""


class AutoRetryEnd(Event):
    NAME = "auto_retry_end"

    attempt: int = 1
    success: bool = False
    error: str = ""

"""What every wire format has in common: a request goes in, deltas come out, and at the end the whole answer.

A wire format is a file beside this one with `WIRE`, a `Wire`: `sent(request)` makes the HTTP request, `decoder()` reads
the answer's events. Both are pure: no file, no network, no clock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pisces.shapes.message import ChatMessage
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from pisces.shapes.tool import Tool

    Delta: TypeAlias = "TextDelta | ThinkingDelta | CallDelta"

END, CALLS, LENGTH, REFUSED, PAUSED = "end", "calls", "length", "refused", "paused"
STOPS = (END, CALLS, LENGTH, REFUSED, PAUSED)

OFF, LOW, MEDIUM, HIGH = "off", "low", "medium", "high"
THINKING = (OFF, LOW, MEDIUM, HIGH)

# How a model is asked to think: by a number of tokens, by a word for its effort; ALWAYS cannot be switched off, and
# BETWEEN_TOOLS is switched off only for the time before its first word.
BY_BUDGET, BY_EFFORT, ALWAYS, BETWEEN_TOOLS = "budget", "effort", "always", "between-tools"


ANY_TOOL = "any"


class ModelFailed(Exception):
    """No usable answer. `status` is that of HTTP, 0 if there was none; `after` are seconds that the provider asks for.

    `is_passing` means that the same request may succeed later.
    """

    def __init__(self, message: str, status: int = 0, after: float | None = None, *, is_passing: bool = False) -> None:
        super().__init__(message)
        self.status, self.after, self.is_passing = status, after, is_passing


class RequestWatch(Protocol):
    """Who looks at a request as its provider gets it, and at the head of the answer. Keys are in neither."""

    async def body(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """What is sent instead."""

    async def headers(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        """The same for headers."""

    async def answered(self, status: int, headers: Mapping[str, str]) -> None: ...


class ModelAsk(Value):
    """One request. `thinking` is empty and `most_tokens` is 0 for the model's own default. `thinks` is how this model
    is asked to think, which its facts know; empty is what the wire format has always had. `choice` is ANY_TOOL if the
    model has to call one of the tools. `watch` is None where nobody looks at what is sent.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    system: str = ""
    tools: Sequence[Tool] = ()
    most_tokens: int = 0
    thinking: str = ""
    thinks: str = ""
    choice: str = ""
    watch: RequestWatch | None = None


class WireRequest(Value):
    """`path` is below the provider's address. The key is not in it: whoever sends it adds that."""

    path: str
    body: Mapping[str, Any]
    headers: Mapping[str, str] = EMPTY


class Usage(Value):
    """Tokens. `cached` and `stored` are parts of `input`: read from the provider's cache, written to it. `thinking` is
    part of `output`.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    stored: int = 0
    thinking: int = 0

    def as_json(self) -> dict[str, int]:
        return dict(zip(self.__fields__, self.as_tuple(), strict=True))


class TextDelta(Value):
    text: str


class ThinkingDelta(Value):
    text: str


class CallDelta(Value):
    """A call grows. `text` is the next piece of its arguments."""

    id: str
    name: str
    text: str = ""


class ModelAnswer(Value):
    """`why` is the provider's own word for `stop`, or its refusal."""

    message: ChatMessage
    stop: str
    usage: Usage = Usage()
    model: str = ""
    why: str = ""


class Decoder(Protocol):
    def fed(self, name: str, data: str) -> Sequence[Delta]:
        """What an event of the stream adds. Raises `ModelFailed` for an error in it."""

    def answer(self) -> ModelAnswer:
        """The whole, once the stream has ended. Raises `ModelFailed` if it ended too early."""


class Wire(Value):
    """`key_header` gets the key, written into `key_format`. `failure` reads the body of an HTTP error."""

    id: str
    sent: Callable[[ModelAsk], WireRequest]
    decoder: Callable[[], Decoder]
    key_header: str = "Authorization"
    key_format: str = "Bearer {}"

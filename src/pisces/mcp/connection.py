"""What a connected server can be asked. All data are plain JSON values in the protocol's own spelling (`inputSchema`).

Two things implement it or may: the official SDK (`sdk.py`), and whatever a test wants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from pisces.mcp.plan import ServerPlan

    Progress = Callable[[float, float | None, str], object]  # how far, of how much, in words
    Answer = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
    Connect = Callable[[ServerPlan, "ServerAsks"], AbstractAsyncContextManager["Connection"]]

TOOLS, PROMPTS, RESOURCES, TEMPLATES = "tools", "prompts", "resources", "resourceTemplates"
MOST_BYTES = 16 << 20  # of one message of a server
REFUSED = "Server returned an error response"  # all that the SDK says of HTTP 400, 401 and their like


class ServerError(Exception):
    """A server answered with an error, or with something that is no answer. `code` is that of JSON-RPC, 0 if none."""

    def __init__(self, message: str, code: int = 0, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


class ServerGone(ServerError):
    """There is no connection (any more): it did not start, ended, or does not answer in time."""


class ServerFacts(Value):
    """What a server says of itself when it is connected."""

    name: str = ""
    version: str = ""
    protocol: str = ""
    instructions: str = ""
    capabilities: Mapping[str, Any] = EMPTY


class ServerAsks(Value):
    """What a server may ask of us. What is None is not offered to it.

    `roots` are folders as paths. `elicit` and `sample` get the request's `params` and return its result; what they
    raise is a refusal. `notified` gets the method and params of every notification, and never raises.
    """

    roots: Callable[[], Sequence[str]] | None = None
    elicit: Answer | None = None
    sample: Answer | None = None
    notified: Callable[[str, Mapping[str, Any]], object] = lambda _method, _params: None


class Connection(Protocol):
    """Every method raises `ServerError`, and nothing else, for what the server does. Cancelling tells the server."""

    facts: ServerFacts

    def when_over(self, call: Callable[[str], object]) -> None:
        """Calls once, with the reason, when the server has gone by itself."""

    async def listed(self, kind: str) -> tuple[Mapping[str, Any], ...]:
        """All pages of TOOLS, PROMPTS, RESOURCES or TEMPLATES; nothing where the server has no such thing."""

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], seconds: float, progress: Progress | None = None
    ) -> Mapping[str, Any]:
        """A `CallToolResult`: `content`, and perhaps `structuredContent` and `isError`."""

    async def prompt(self, name: str, arguments: Mapping[str, str]) -> Mapping[str, Any]:
        """A `GetPromptResult`: `messages`, perhaps a `description`."""

    async def read(self, uri: str) -> Mapping[str, Any]:
        """A `ReadResourceResult`: `contents`, each with `text` or `blob`."""

    async def subscribe(self, uri: str) -> None: ...

    async def unsubscribe(self, uri: str) -> None: ...

    async def completions(
        self, reference: Mapping[str, str], name: str, value: str, others: Mapping[str, str] = EMPTY
    ) -> tuple[str, ...]:
        """`reference` is `{"type": "ref/prompt", "name": ...}` or `{"type": "ref/resource", "uri": ...}`."""

    async def set_log_level(self, level: str) -> None: ...

    async def ping(self) -> None: ...

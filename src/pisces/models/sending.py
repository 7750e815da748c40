"""One request to a model over HTTP: its deltas while it answers, and the whole answer at the end."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2

from pisces.formats.sse import Events, EventTooLarge, ServerSentEvent
from pisces.models.wire import ModelAnswer, ModelFailed
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from pisces.models.wire import Decoder, Delta, ModelAsk, Wire

_CONNECT_SECONDS = 15.0
_SILENCE_SECONDS = 300.0  # a model may think for minutes before its first word
_MOST_ERROR = 100_000
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))


class ModelEndpoint(Value):
    """Where a wire format is spoken. `key` is a secret: it goes into one header and nowhere else."""

    wire: Wire
    url: str
    key: str = ""
    headers: Mapping[str, str] = EMPTY


class Answering:
    """An answer under way: iterate over its deltas, then ask for `whole()`."""

    def __init__(self, response: httpx2.Response, decoder: Decoder) -> None:
        self._response, self._decoder = response, decoder

    async def __aiter__(self) -> AsyncIterator[Delta]:
        events = Events()
        try:
            async for chunk in self._response.aiter_bytes():
                for delta in self._deltas(events.fed(chunk)):
                    yield delta
        except (httpx2.HTTPError, EventTooLarge) as error:
            raise ModelFailed(f"the stream was cut: {_said(error)}", is_passing=True) from None

    def _deltas(self, events: list[ServerSentEvent]) -> Iterator[Delta]:
        for event in events:
            yield from self._decoder.fed(event.name, event.data)

    def whole(self) -> ModelAnswer:
        return self._decoder.answer()


class Sender:
    """Connections that are used again. Close it where it was used."""

    def __init__(self) -> None:
        timeout = httpx2.Timeout(_SILENCE_SECONDS, connect=_CONNECT_SECONDS)
        self._client = httpx2.AsyncClient(timeout=timeout, follow_redirects=False)

    async def __aenter__(self) -> Sender:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._client.aclose()

    @asynccontextmanager
    async def sent(self, endpoint: ModelEndpoint, ask: ModelAsk) -> AsyncIterator[Answering]:
        """Raises `ModelFailed` where there is no answer. Leaving the block early ends the request."""
        wire = endpoint.wire
        request = wire.sent(ask)
        headers = {"content-type": "application/json", "accept": "text/event-stream", **request.headers}
        if endpoint.key:
            headers[wire.key_header] = wire.key_format.format(endpoint.key)
        body = json.dumps(request.body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        url = endpoint.url.rstrip("/") + request.path
        stream = self._client.stream("POST", url, content=body, headers={**headers, **endpoint.headers})
        try:
            response = await stream.__aenter__()
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ModelFailed(f"the model cannot be reached: {_said(error)}", is_passing=_is_passing(error)) from None
        try:
            if response.status_code != 200:
                raise await _refused(response)
            yield Answering(response, wire.decoder())
        finally:
            await stream.__aexit__(None, None, None)


async def _refused(response: httpx2.Response) -> ModelFailed:
    body = b""
    try:
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > _MOST_ERROR:
                break
    except httpx2.HTTPError:
        body = b""
    status = response.status_code
    return ModelFailed(
        f"{_message(body) or response.reason_phrase} ({status})",
        status,
        _after(response.headers),
        is_passing=status in _PASSING,
    )


def _message(body: bytes) -> str:
    """The text of an error in any of the shapes that providers use."""
    try:
        value: Any = json.loads(body)
    except ValueError:
        return body[:500].decode("utf-8", "replace").strip()
    value = value[0] if isinstance(value, list) and value else value
    error = value.get("error", value) if isinstance(value, dict) else value
    if isinstance(error, dict):
        error = error.get("message") or error.get("type") or ""
    return str(error)[:2000]


def _after(headers: Mapping[str, str]) -> float | None:
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * scale)
        except (KeyError, ValueError):
            continue
    return None


def _is_passing(error: Exception) -> bool:
    return not isinstance(error, httpx2.UnsupportedProtocol | httpx2.InvalidURL)


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__

"""One request to a model over HTTP: its deltas while it answers, and the whole answer at the end."""

from __future__ import annotations

import json
import math
import time
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import httpx2

from pisces.formats.sse import Events, EventTooLarge, ServerSentEvent
from pisces.models.addresses import is_plain_loopback
from pisces.models.guarded import GuardedDecoder, whole_characters
from pisces.models.wire import ModelAnswer, ModelFailed
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

    from pisces.models.wire import Decoder, Delta, ModelAsk, RequestWatch, Wire, WireRequest

_CONNECT_SECONDS = 15.0
_SILENCE_SECONDS = 300.0  # a model may think for minutes before its first word
_MOST_ERROR = 100_000
_SHORTEST_SECRET = 6  # shorter texts are words of ordinary messages
_UNREACHABLE = (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError)  # also what certificates cannot be read
_NO_STREAM = ("text/html", "application/json")
_REDIRECTED = "the address points to another one, which gets neither the key nor the conversation"
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))


class ModelEndpoint(Value):
    """Where a wire format is spoken. `key` is a secret: it goes into one header and nowhere else."""

    wire: Wire
    url: str
    key: str = ""
    headers: Mapping[str, str] = EMPTY


class Answering:
    """An answer under way: iterate over its deltas, then ask for `whole()`."""

    def __init__(self, response: httpx2.Response, decoder: Decoder, endpoint: ModelEndpoint) -> None:
        self._response, self._decoder, self._endpoint = response, decoder, endpoint

    async def __aiter__(self) -> AsyncIterator[Delta]:
        events = Events()
        try:
            async for chunk in self._response.aiter_bytes():
                for delta in self._deltas(events.fed(chunk)):
                    yield delta
            for delta in self._deltas(events.fed(b"\n\n")):  # some servers leave out the last blank line
                yield delta
        except ModelFailed as failed:
            raise without_key(failed, self._endpoint) from None
        except (httpx2.HTTPError, EventTooLarge) as error:
            cut = ModelFailed(f"the stream was cut: {_said(error)}", is_passing=True)
            raise without_key(cut, self._endpoint) from None

    def _deltas(self, events: list[ServerSentEvent]) -> Iterator[Delta]:
        for event in events:
            yield from self._decoder.fed(event.name, event.data)

    def whole(self) -> ModelAnswer:
        return self._decoder.answer()


class Sender:
    """Connections that are used again. Close it where it was used."""

    def __init__(self) -> None:
        self._clients: dict[bool, httpx2.AsyncClient] = {}

    def _client(self, url: str) -> httpx2.AsyncClient:
        """What is on this machine is reached without a proxy, which would see the key, and without TLS, whose
        certificates take a while to load.
        """
        is_plain = is_plain_loopback(url)
        if is_plain not in self._clients:
            timeout = httpx2.Timeout(_SILENCE_SECONDS, connect=_CONNECT_SECONDS)
            self._clients[is_plain] = httpx2.AsyncClient(
                timeout=timeout, follow_redirects=False, verify=not is_plain, trust_env=not is_plain
            )
        return self._clients[is_plain]

    async def __aenter__(self) -> Sender:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()

    @asynccontextmanager
    async def sent(self, endpoint: ModelEndpoint, ask: ModelAsk) -> AsyncIterator[Answering]:
        """Raises `ModelFailed` where there is no answer. Leaving the block early ends the request."""
        wire = endpoint.wire
        request = wire.sent(ask)
        if ask.watch is not None:
            request = await _watched(request, ask.watch)
        own = {"content-type": "application/json", "accept": "text/event-stream"}
        headers = _with(own, request.headers)
        if endpoint.key:
            headers = _with(headers, {wire.key_header: wire.key_format.format(endpoint.key)})
        body = _encoded(request.body)
        url = endpoint.url.rstrip("/") + request.path
        try:
            stream = self._client(url).stream("POST", url, content=body, headers=_with(headers, endpoint.headers))
            response = await stream.__aenter__()
        except _UNREACHABLE as error:
            failed = ModelFailed(f"the model cannot be reached: {_said(error)}", is_passing=_is_passing(error))
            raise without_key(failed, endpoint) from None
        try:
            if ask.watch is not None:
                await ask.watch.answered(response.status_code, dict(response.headers))
            if response.status_code != 200:
                raise without_key(await _refused(response), endpoint)
            if response.headers.get("content-type", "").startswith(_NO_STREAM):
                raise without_key(await _no_stream(response), endpoint)
            yield Answering(response, GuardedDecoder(wire.decoder()), endpoint)
        finally:
            await stream.__aexit__(None, None, None)


async def _watched(request: WireRequest, watch: RequestWatch) -> WireRequest:
    """Before any secret is a part of it."""
    body = await watch.body(request.body)
    return request.replace(body=body, headers=await watch.headers(request.headers))


def _encoded(body: Mapping[str, Any]) -> bytes:
    """Raises `ModelFailed` for what an extension made of it."""
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelFailed(f"an extension made a request of it that is no JSON: {error}") from None


def _with(headers: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """The user's own headers replace ours, however they are spelled."""
    replaced = {name.lower() for name in own}
    return {**{name: value for name, value in headers.items() if name.lower() not in replaced}, **own}


def without_key(failed: ModelFailed, endpoint: ModelEndpoint) -> ModelFailed:
    """The same failure, whatever a provider or a library repeats of the key and of the user's own headers."""
    text = whole_characters(str(failed))
    for secret in (endpoint.key, *endpoint.headers.values()):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "***")
    return ModelFailed(text, failed.status, failed.after, is_passing=failed.is_passing)


async def _no_stream(response: httpx2.Response) -> ModelFailed:
    """A page or an object instead of events: a wrong address, or a server that does not stream."""
    return ModelFailed(f"the server sent no stream of events: {_message(await _body(response))[:200]}")


async def _body(response: httpx2.Response) -> bytes:
    """Not more of it than an error may need."""
    body = b""
    try:
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > _MOST_ERROR:
                break
    except httpx2.HTTPError:
        return b""
    return body


async def _refused(response: httpx2.Response) -> ModelFailed:
    body = await _body(response)
    status, after = response.status_code, _after(response.headers)
    text = _REDIRECTED if response.is_redirect else _message(body) or response.reason_phrase
    return ModelFailed(
        f"{text} ({status})",
        status,
        _after_in(body) if after is None else after,
        is_passing=status in _PASSING,
    )


def _error(body: bytes) -> Any:
    """In any of the shapes that providers use. Raises `ValueError` for what is no JSON."""
    value: Any = json.loads(body)
    value = value[0] if isinstance(value, list) and value else value
    return value.get("error", value) if isinstance(value, dict) else value


def _message(body: bytes) -> str:
    try:
        error = _error(body)
    except (ValueError, RecursionError):
        return body[:500].decode("utf-8", "replace").strip()
    if isinstance(error, dict):
        error = error.get("message") or error.get("type") or ""
    return str(error)[:2000]


def _after(headers: Mapping[str, str]) -> float | None:
    """Seconds, as a number or as a date."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        given = headers.get(name, "")
        seconds = _number(given) if given else None
        if seconds is None and given and name == "retry-after":
            seconds = _until(given)
        if seconds is not None:
            return max(0.0, seconds * scale)
    return None


def _after_in(body: bytes) -> float | None:
    """Google says it in the body: `{"details": [{"retryDelay": "34.07s"}]}`."""
    try:
        details = _error(body).get("details")
    except (ValueError, RecursionError, AttributeError):
        return None
    given = [each.get("retryDelay") for each in details or () if isinstance(each, dict)]
    return next((_number(each[:-1]) for each in given if isinstance(each, str) and each.endswith("s")), None)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _until(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return None


def _is_passing(error: Exception) -> bool:
    """A wrong address or certificate stays wrong; a connection may come back."""
    if isinstance(error, httpx2.HTTPError):
        return not isinstance(error, httpx2.UnsupportedProtocol) and "CERTIFICATE_VERIFY_FAILED" not in str(error)
    return False


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__

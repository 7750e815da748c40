"""Which requests are accepted: from this machine, with the token, from no web page."""

from __future__ import annotations

import asyncio
import sys

from pisces.ide.client.http import HttpRequest, answer
from pisces.ide.client.wire import Unreachable
from pisces.ide.probe.probe import MUST, SHOULD, Finding, ProbeRule, broken, judged, passed
from pisces.ide.probe.subject import HELLO, ProbeSubject, Skip

_REFUSED = (400, 401, 403, 421)
_ANOTHER_ADDRESS = "127.0.0.2"  # of Linux: reached only by a server that listens on every address


async def _reachable(subject: ProbeSubject) -> Finding:
    return broken(subject.failure) if subject.connection is None else passed()


async def _loopback(subject: ProbeSubject) -> Finding:
    if not sys.platform.startswith("linux") or subject.target.host != "127.0.0.1":
        raise Skip("cannot be told apart here")
    try:
        got = await answer(_ANOTHER_ADDRESS, subject.target.port, HttpRequest("GET", {}), 2.0)
    except Unreachable:
        return passed()
    got.close()
    return broken("it listens on every address of this machine, not on 127.0.0.1 alone")


async def _no_token(subject: ProbeSubject) -> Finding:
    status = (await subject.post(HELLO, Authorization=None)).status
    return passed() if status == 401 else broken(f"a request without a token got {status}, not 401")


async def _wrong_token(subject: ProbeSubject) -> Finding:
    token = subject.target.token
    wrong = ("wrong", f"{token}x", f"{token[:-1]}", f"{token} {token}")
    bad = [*(f"Bearer {each}" for each in wrong), f"Basic {token}", token]
    statuses = {value: (await subject.post(HELLO, Authorization=value)).status for value in bad}
    answers = [(_hidden(value, token), status) for value, status in statuses.items()]
    return judged([f"{value} got {status}, not 401" for value, status in answers if status != 401])


async def _token_in_query(subject: ProbeSubject) -> Finding:
    token = subject.target.token
    paths = (f"/mcp?token={token}", f"/mcp?authToken={token}", f"/mcp?access_token={token}")
    statuses = [(await subject.post(HELLO, Authorization=None, path=path)).status for path in paths]
    return judged([f"a token in the address got {status}, not 401" for status in statuses if status != 401])


async def _every_request(subject: ProbeSubject) -> Finding:
    """A session id without the token is refused."""
    session = (await subject.post(HELLO)).headers.get("mcp-session-id", "")
    listed = {"id": 2, "method": "tools/list", "params": {}}
    posted = (await subject.post(listed, Authorization=None, Mcp_Session_Id=session)).status
    streamed, _ = await subject.stream_status(Authorization=None, Mcp_Session_Id=session)
    problems = [f"POST got {posted}"] if posted != 401 else []
    return judged(problems + ([f"GET got {streamed}"] if streamed != 401 else []))


async def _origin(subject: ProbeSubject) -> Finding:
    port = subject.target.port
    origins = ("http://evil.example", "null", f"http://localhost:{port}", f"http://127.0.0.1:{port}")
    statuses = {origin: (await subject.post(HELLO, Origin=origin)).status for origin in origins}
    return judged([f"`Origin: {origin}` got {status}, not 403" for origin, status in statuses.items() if status != 403])


async def _host(subject: ProbeSubject) -> Finding:
    port = subject.target.port
    names = ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "127.0.0.1:1")
    statuses = {name: (await subject.post(HELLO, Host=name)).status for name in names}
    return judged([f"`Host: {name}` got {status}" for name, status in statuses.items() if status not in _REFUSED])


async def _localhost(subject: ProbeSubject) -> Finding:
    status = (await subject.post(HELLO, Host=f"localhost:{subject.target.port}")).status
    return passed() if status == 200 else broken(f"`Host: localhost:{subject.target.port}` got {status}")


async def _slow_one(subject: ProbeSubject) -> Finding:
    """An incomplete request does not block other clients."""
    _, writer = await asyncio.open_connection(subject.target.host, subject.target.port)
    try:
        writer.write(b"POST /mcp HTTP/1.1\r\nHost: ")
        status = (await subject.post(HELLO)).status
    finally:
        writer.close()
    return passed() if status == 200 else broken(f"beside a half-open connection, others got {status}")


def _hidden(value: str, token: str) -> str:
    """Without the token."""
    return f"`Authorization: {value.replace(token, 'TOKEN') if token else value}`".replace(token[:-1] or "\0", "TOKEN")


RULES = (
    ProbeRule("reachable", MUST, "a client with the token can connect", _reachable),
    ProbeRule("loopback-only", MUST, "it listens on 127.0.0.1 only", _loopback),
    ProbeRule("token-required", MUST, "without a token nothing is answered", _no_token),
    ProbeRule("token-checked", MUST, "a wrong or misspelled token is refused", _wrong_token),
    ProbeRule("token-not-in-query", MUST, "a token in the address is none", _token_in_query),
    ProbeRule("token-every-request", MUST, "the token is asked for in a session too", _every_request),
    ProbeRule("origin-refused", MUST, "web pages are refused", _origin),
    ProbeRule("host-checked", MUST, "other host names are refused (DNS rebinding)", _host),
    ProbeRule("host-localhost", SHOULD, "`localhost` is let in", _localhost),
    ProbeRule("half-open", MUST, "a half-open connection holds up nobody", _slow_one),
)

"""MCP over Streamable HTTP, as far as Gemini CLI depends on it."""

from __future__ import annotations

from pisces.ide.client.wire import UNDERSTOOD, Failed
from pisces.ide.probe.probe import MUST, SHOULD, Finding, ProbeRule, broken, judged, passed
from pisces.ide.probe.subject import HELLO, ProbeSubject, Skip, result_in

_LIST = {"id": 2, "method": "tools/list", "params": {}}
_NO_SESSION = (400, 404)
_GONE_PATH = (404, 405)


async def _handshake(subject: ProbeSubject) -> Finding:
    reply = await subject.post(HELLO)
    message = result_in(reply)
    result = message.get("result") if isinstance(message, dict) else None
    if reply.status != 200 or not isinstance(result, dict):
        return broken(f"`initialize` got {reply.status} and no result")
    problems = [] if reply.headers.get("mcp-session-id") else ["there is no `mcp-session-id` header"]
    if result.get("protocolVersion") not in UNDERSTOOD:
        problems.append(f"it speaks version {result.get('protocolVersion')!r}")
    problems += [
        f"`{key}` is missing" for key in ("capabilities", "serverInfo") if not isinstance(result.get(key), dict)
    ]
    return judged(problems)


async def _notification(subject: ProbeSubject) -> Finding:
    session = (await subject.post(HELLO)).headers.get("mcp-session-id")
    reply = await subject.post({"method": "notifications/initialized"}, Mcp_Session_Id=session)
    return passed() if 200 <= reply.status < 300 else broken(f"it got {reply.status}, not 202")


async def _sessions(subject: ProbeSubject) -> Finding:
    first, second = [(await subject.post(HELLO)).headers.get("mcp-session-id") for _ in range(2)]
    if first == second:
        return broken("two clients got the same session")
    if subject.connection and not await subject.is_answered():
        subject.answers_newest_only = True
        return broken("once another client has connected, the first one is not answered any more, and waits for ever")
    return passed()


async def _without_session(subject: ProbeSubject) -> Finding:
    posted = (await subject.post(_LIST)).status
    streamed, _ = await subject.stream_status()
    problems = [f"POST got {posted}"] if posted not in _NO_SESSION else []
    return judged(problems + ([f"GET got {streamed}"] if streamed not in (*_NO_SESSION, 405) else []))


async def _unknown_session(subject: ProbeSubject) -> Finding:
    posted = (await subject.post(_LIST, Mcp_Session_Id="never-given")).status
    streamed, _ = await subject.stream_status(Mcp_Session_Id="never-given")
    statuses = (("POST", posted), ("GET", streamed))
    return judged([f"{what} got {status}" for what, status in statuses if status not in _NO_SESSION])


async def _stream(subject: ProbeSubject) -> Finding:
    if subject.client.transport.has_stream:
        return passed()
    return broken("GET gives no event stream, so no context ever arrives")


async def _ping(subject: ProbeSubject) -> Finding:
    try:
        await subject.client.request("ping", {}, 5.0)
    except Failed as error:
        return broken(str(error))
    return passed()


async def _unknown_method(subject: ProbeSubject) -> Finding:
    try:
        await subject.client.request("no/such/method", {}, 5.0)
    except Failed as error:
        return passed(str(error))
    return broken("an unknown method was answered")


async def _bad_body(subject: ProbeSubject) -> Finding:
    bodies = (b"{", b"", b"null", b'"text"', b"[]", b"\xff\xfe", b"[" * 5000)
    statuses = [(await subject.post(body)).status for body in bodies]
    after = (await subject.post(HELLO)).status
    problems = [f"a body that is no message got {status}" for status in statuses if not 400 <= status < 500]
    return judged(problems + ([] if after == 200 else [f"and then `initialize` got {after}"]))


async def _path(subject: ProbeSubject) -> Finding:
    status = (await subject.post(HELLO, path="/elsewhere")).status
    return passed() if status in _GONE_PATH else broken(f"`/elsewhere` got {status}")


async def _alive(subject: ProbeSubject) -> Finding:
    if not subject.target.patience:
        raise Skip("takes more than a minute: ask with `--patient`")
    before = subject.client.transport.signs_of_life
    for _ in range(int(subject.target.patience / subject.target.quiet)):
        await subject.quiet()
        if subject.client.transport.signs_of_life > before:
            return passed()
    return broken(f"nothing came for {subject.target.patience:g} s: Gemini CLI drops a silent stream after 300 s")


RULES = (
    ProbeRule("handshake", MUST, "`initialize` gives a session, a version and a name", _handshake),
    ProbeRule("initialized", MUST, "`notifications/initialized` is accepted", _notification),
    ProbeRule("session-own", MUST, "each client has a session of its own, and is answered in it", _sessions),
    ProbeRule("session-required", MUST, "without a session nothing is answered", _without_session),
    ProbeRule("session-known", MUST, "an unknown session is refused", _unknown_session),
    ProbeRule("stream", MUST, "GET opens a stream of events", _stream),
    ProbeRule("ping", SHOULD, "`ping` is answered", _ping),
    ProbeRule("unknown-method", SHOULD, "an unknown method is an error", _unknown_method),
    ProbeRule("bad-body", MUST, "a body that is no message is refused, and no harm done", _bad_body),
    ProbeRule("one-path", SHOULD, "`/mcp` is the only path", _path),
    ProbeRule("keep-alive", MUST, "a silent stream is kept alive", _alive),
)

"""The protocol: what is announced is there, what is unknown is an error, and nothing wrong ends the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.mcp.connection import REFUSED, ServerError, ServerGone
from pisces.mcp.probe.check import ServerCheck
from pisces.mcp.probe.subject import CAPABILITY, METHODS, NotChecked

if TYPE_CHECKING:
    from pisces.mcp.probe.subject import ServerSubject

PING = Rule("mcp-ping", ERROR, "A server does not answer `ping`")
CAPABILITIES = Rule("mcp-capabilities", ERROR, "A server announces what it does not answer")
UNANNOUNCED = Rule("mcp-unannounced", WARNING, "A server has what it does not announce, so no client asks for it")
UNKNOWN_METHOD = Rule("mcp-unknown-method", ERROR, "A method that a server does not know gets no error")
BAD_MESSAGE = Rule("mcp-bad-message", WARNING, "A line that is no message ends a server")
CANCELLED = Rule("mcp-cancelled", ERROR, "A server does not live through a cancellation")
LOG_LEVEL = Rule("mcp-log-level", WARNING, "A server announces logging and takes no level")

_NO_METHOD = (-32601, -32602)  # the second is that of the official Python SDK before 2.0


async def _ping(subject: ServerSubject) -> list[str]:
    result = await subject.ask("ping")
    return [] if isinstance(result, dict) else ["the answer is no object"]


async def _capabilities(subject: ServerSubject) -> list[str]:
    problems = []
    for kind, method in METHODS.items():
        if CAPABILITY[kind] not in subject.capabilities or method == "resources/templates/list":
            continue
        try:
            problems += [flaw] if (flaw := (await subject.read(kind)).flaw) else []
        except ServerGone:
            raise
        except ServerError as error:
            problems.append(f"it announces `{CAPABILITY[kind]}`, and `{method}` fails: {error}")
    return problems


async def _unannounced(subject: ServerSubject) -> list[str]:
    problems = []
    for kind, method in METHODS.items():
        if CAPABILITY[kind] in subject.capabilities:
            continue
        found = await subject.refusal(method, {})
        if isinstance(found, dict) and found.get(kind):
            problems.append(f"`{method}` has {len(found[kind])}, but `{CAPABILITY[kind]}` is not announced")
    return problems


async def _unknown_method(subject: ServerSubject) -> list[str]:
    found = await subject.refusal("pisces/no-such-method", {})
    if not isinstance(found, ServerError):
        return ["it is answered with a result"]
    if not subject.is_program and str(found) == REFUSED:  # the official Go SDK says it by the status of HTTP
        return []
    return [] if found.code in _NO_METHOD else [f"the error has code {found.code}, not {_NO_METHOD[0]}: {found}"]


async def _bad_message(subject: ServerSubject) -> list[str]:
    if not subject.is_program:
        raise NotChecked("only a program that is started has that")
    async with subject.fresh() as speaker:
        await subject.greeted(speaker)
        for line in (b"this is no JSON\n", b'{"jsonrpc": "2.0"}\n', b"[]\n", b'"\xff"\n', b"\n"):
            await subject.of_program(speaker).send_bytes(line)
            try:
                await speaker.request("ping", seconds=subject.target.seconds)
            except ServerGone as error:
                return [f"after the line {line.strip()!r}: {error}"]
    return []


async def _cancelled(subject: ServerSubject) -> list[str]:
    await subject.speaker.notify("notifications/cancelled", {"requestId": "never-asked", "reason": "a test"})
    await subject.speaker.notify("notifications/pisces/no-such-notification")
    await subject.ask("ping")
    return []


async def _log_level(subject: ServerSubject) -> list[str]:
    if "logging" not in subject.capabilities:
        raise NotChecked("it announces no logging")
    found = await subject.refusal("logging/setLevel", {"level": "error"})
    problems = [f"`error` is refused: {found}"] if isinstance(found, ServerError) else []
    found = await subject.refusal("logging/setLevel", {"level": "no-such-level"})
    return problems if isinstance(found, ServerError) else [*problems, "a level that does not exist is accepted"]


CHECKS = (
    ServerCheck(PING, "it answers `ping`", _ping),
    ServerCheck(CAPABILITIES, "what it announces is there", _capabilities),
    ServerCheck(UNANNOUNCED, "what is there is announced", _unannounced),
    ServerCheck(UNKNOWN_METHOD, "an unknown method is an error", _unknown_method),
    ServerCheck(BAD_MESSAGE, "a line that is no message does no harm", _bad_message),
    ServerCheck(CANCELLED, "a cancellation and an unknown notification do no harm", _cancelled),
    ServerCheck(LOG_LEVEL, "it takes a log level, and refuses one that does not exist", _log_level),
)

"""Runs the program of a hook: its own group, an allow-listed environment, bounded time and output, nothing left behind.

It waits for the program and not for its pipes: what was printed by its end counts, and a child that keeps stdout open
is ended. Output is read to the end but only its first megabyte is stored, without the blanks before it.
"""

from __future__ import annotations

from pisces.gates.hooks.dialect import NOT_STARTED, SIGNAL, TIMEOUT, TOO_LONG, HookOutcome
from pisces.processes import ended as ending
from pisces.processes.environment import child_env
from pisces.processes.launch import ERR, OUT, Launch, Limits
from pisces.processes.process import run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.gates.hooks.dialect import Start
    from pisces.processes.ended import Ended

MOST_STORED = 1 << 20  # bytes of each stream
_MOST_READ = 64 << 20  # bytes of both, before the program is ended
_GRACE = 0.5
_BLANKS = b" \t\r\n"
_REASONS = {ending.TIMEOUT: TIMEOUT, ending.TOO_MUCH_OUTPUT: TOO_LONG}


async def run_command(start: Start, payload: bytes, env: Mapping[str, str]) -> HookOutcome:
    """`env` is that of the user's program: what is on no list is not passed on."""
    limits = Limits(seconds=start.seconds, output=_MOST_READ, grace=_GRACE, linger=0)
    launch = Launch(
        start.argv, start.cwd, child_env(env, start.env), limits, stdin=payload, is_fenced=True, is_brief=True
    )
    streams = {OUT: _Stored(), ERR: _Stored()}
    ended = await run(launch, lambda name, chunk: streams[name].take(chunk))
    return _outcome(ended, streams[OUT], streams[ERR])


class _Stored:
    """The beginning of a stream."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_cut = False

    def take(self, chunk: bytes) -> None:
        if not self.data:
            chunk = chunk.lstrip(_BLANKS)
        room = MOST_STORED - len(self.data)
        self.data += chunk[:room]
        self.is_cut = self.is_cut or len(chunk) > room

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")


def _outcome(ended: Ended, out: _Stored, err: _Stored) -> HookOutcome:
    if ended.failure:
        return HookOutcome(None, stderr=ended.failure, ended=NOT_STARTED)
    if ended.reason:
        return HookOutcome(None, out.text, err.text, _REASONS.get(ended.reason, ended.reason))
    if ended.code is None:
        return HookOutcome(None, out.text, err.text, SIGNAL)
    return HookOutcome(ended.code, out.text, err.text, TOO_LONG if out.is_cut else "")

"""The program that runs modules and speaks lines of JSON. What it sends is bounded; what its modules print is apart.

On POSIX the wire has descriptors of its own, so that neither a `console.log` nor a program that a module starts can
write into it. Modules see the environment that every program gets, and a few names that their runtimes read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from pisces.modules.sidecar.runtime import HERE, Runtime
from pisces.processes.ended import STOPPED, Ended
from pisces.processes.environment import passed_on
from pisces.processes.launch import OPEN, OUT, Launch, Limits
from pisces.processes.lines import Lines
from pisces.processes.process import Process
from pisces.value import Value

# The wire becomes other descriptors; stdout goes where stderr goes.
_APART = {(3, 4): 'exec "$@" 3<&0 4>&1 </dev/null >&2', (0, 4): 'exec "$@" 4>&1 >&2'}
_PASSED_TOO = ("PI_CODING_AGENT_DIR", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "BUN_INSTALL", "DENO_DIR")
_FREE = Limits(processes=0, grace=0)
_SHOWN = 80


class SidecarLimits(Value):
    """How long and how much a sidecar may take before the host stops waiting for it.

    Seconds, but for `line` and `unread` (bytes), `printed` (bytes that are recorded) and `restarts` (in a row).
    """

    load: float = 10.0  # for one module to be imported and for its factory to return; those that hang share a budget
    call: float = 10.0  # to draw, to take a key, to complete a word
    life: float = 1.0  # to give a sign of life after a call was given up
    beat: float = 5.0  # between two looks at whether it still lives
    silence: float = 60.0  # without a sign of life, while no tool runs
    patience: float = 2.0  # that a call waits for a sidecar that is being started again
    delay: float = 0.1  # before the first restart; doubles with each that follows
    longest_delay: float = 30.0
    restarts: int = 5
    steady: float = 60.0  # after which a sidecar counts as healthy again
    line: int = 64 << 20
    unread: int = 64 << 20
    printed: int = 64 << 10


class Unread(RuntimeError):
    """The child does not read what it is sent."""


class JsonProcess:
    """`receive` gets each message; `ended` is called once, with the reason, whatever the end was."""

    def __init__(
        self, receive: Callable[[dict[str, Any]], None], ended: Callable[[str], None], limits: SidecarLimits
    ) -> None:
        self._receive = receive
        self._ended = ended
        self._limits = limits
        self._process: Process | None = None
        self._lines = Lines()
        self._printed = bytearray()
        self._is_heard = True

    def start(self, runtime: Runtime) -> None:
        """Raises OSError where the program cannot be started."""
        argv = tuple(runtime.argv)
        if runtime.descriptors in _APART:
            argv = ("/bin/sh", "-c", _APART[runtime.descriptors], "sh", *argv)
        wire = {"PISCES_WIRE": ",".join(map(str, runtime.descriptors))}
        env = {**passed_on(runtime.env), **{name: runtime.env[name] for name in _PASSED_TOO if name in runtime.env}}
        self._process = Process.start(Launch(argv, HERE, {**env, **wire}, _FREE, stdin=OPEN), self._hear)
        self._process.when_over(self._note_end)

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    @property
    def printed(self) -> str:
        """The last of what modules and the runtime itself wrote."""
        return self._printed.decode("utf-8", "replace")

    def send(self, message: Mapping[str, Any]) -> None:
        if self._process is None or not self._is_heard:
            return  # its end will be reported
        if self._process.unwritten > self._limits.unread:
            raise Unread("the sidecar does not read what it is sent")
        self._process.write(encoded(message))

    async def close(self, grace: float) -> None:
        """Asks it to end, and ends it where it does not."""
        if self._process is not None:
            await self._process.close(grace)

    def kill(self, reason: str) -> None:
        if self._process is not None:
            self._process.kill(reason)

    def _note_end(self, ended: Ended) -> None:
        self._is_heard = False
        by_itself = f"was ended by {ended.signal}" if ended.signal else f"ended with exit code {ended.code}"
        self._ended("was closed" if ended.reason == STOPPED else ended.reason or by_itself)

    def _hear(self, name: str, chunk: bytes) -> None:
        if name != OUT:
            self._printed += chunk
            del self._printed[: -self._limits.printed]
            return
        for line in self._lines.ended(chunk):
            self._read_line(line)
        if self._lines.length > self._limits.line:
            self._lines = Lines()
            self._refuse(f"sent a line of more than {self._limits.line} bytes")

    def _read_line(self, line: bytes) -> None:
        if self._is_heard and not self._is_understood(line):
            self._refuse(f"sent something that is not a message: `{line[:_SHOWN].decode('utf-8', 'replace')}`")

    def _is_understood(self, line: bytes) -> bool:
        """JSON may say things that nobody can make sense of, too."""
        try:
            message = json.loads(line)
            if isinstance(message, dict):
                self._receive(message)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return False
        return isinstance(message, dict)

    def _refuse(self, reason: str) -> None:
        self._is_heard = False  # nothing that it says from here on counts
        self.kill(reason)


def encoded(message: Mapping[str, Any]) -> bytes:
    try:
        text = _json(message)
    except ValueError:
        text = _json(_finite(message))
    return text.encode("ascii") + b"\n"


def _json(message: object) -> str:
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=_plain)


def _finite(value: Any) -> Any:
    """JavaScript reads no infinities: they become null, as `JSON.stringify` has it."""
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain(value: object) -> object:
    """What JSON does not know: views and sequences as what they stand for, anything else as its text."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "__iter__"):
        return list(value)
    return str(value)

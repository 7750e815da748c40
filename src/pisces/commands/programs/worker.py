"""Programs that stay alive between calls, so that a call costs no start. They live at most as long as their `Workers`.

A program whose manifest says `"worker": true` is started as `program --worker`, in the workspace, with the environment
of any other command. `worker_messages` has the protocol. Without `--worker` the same program does one thing and ends:
that is what happens on Windows, and where each call is a process of its own, as with `pisces run`.

A worker serves one folder, one environment and one state of the program's file: any change of these means another
worker. One call at a time; a second one meanwhile gets a second worker. Idle ones are ended after a while.
"""

from __future__ import annotations

import os
import sys
import threading
from time import monotonic

from pisces.commands.programs.worker_messages import WORKER_OPTION, WORKER_RESTING, Broken
from pisces.commands.programs.worker_process import Worker
from pisces.diagnostics import PiscesError
from pisces.processes.ended import not_started
from pisces.processes.launch import never
from pisces.processes.run import run
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from pisces.processes.ended import Ended
    from pisces.processes.launch import Launch, Sink, Stopped

IDLE_SECONDS = 300.0
MOST_IDLE = 8
_LONGEST_REST = 60.0
_COMPLAINT_LINES = 3


class _Key(Value):
    """What a worker was started with. `identity` is what the system says of the program's file."""

    argv: tuple[str, ...]
    cwd: str
    env: tuple[tuple[str, str], ...]
    identity: tuple[int, ...]


class _Idle(Value):
    key: _Key
    worker: Worker
    since: float


class _Failures(Value):
    count: int = 0
    until: float = 0.0


class Workers:
    """Opened and closed; may be used by several threads. Closing ends every worker that is idle."""

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._idle: list[_Idle] = []  # the one that waits longest comes first
        self._failures: dict[_Key, _Failures] = {}
        self._timer: threading.Timer | None = None
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            ended, self._idle = self._idle, []
            if self._timer is not None:
                self._timer.cancel()
        for each in ended:
            each.worker.end()

    def call(self, launch: Launch, words: tuple[str, ...], sink: Sink, is_stopped: Stopped = never) -> Ended:
        """As `run`, for a launch whose arguments end with `words`. `PiscesError` where the worker fails."""
        if sys.platform == "win32":
            return run(launch, sink, is_stopped)
        own = launch.argv[: len(launch.argv) - len(words)]
        key = _Key(own, launch.cwd, tuple(sorted(launch.env.items())), _identity(own[-1]))
        self._refuse_resting(key)
        try:
            worker = self._taken(key) or Worker(launch.replace(argv=(*own, WORKER_OPTION)))
        except (OSError, ValueError) as error:
            return not_started(error)
        try:
            ended = worker.ask(words, launch.limits, sink, is_stopped)
            self._failures.pop(key, None)
            return ended
        except Broken as error:
            self._note_failure(key)
            hint = " / ".join(worker.complaints.splitlines()[-_COMPLAINT_LINES:])
            raise PiscesError(error.rule.at(own[-1], error.message, hint=f"it said: {hint}" if hint else "")) from None
        finally:
            self._put_back(key, worker)

    def _taken(self, key: _Key) -> Worker | None:
        """An idle worker that is alive. One that died meanwhile is no failure: nobody has waited for it."""
        while True:
            with self._lock:
                found = next((each for each in reversed(self._idle) if each.key == key), None)
                if found is None:
                    return None
                self._idle.remove(found)
            if found.worker.is_alive:
                return found.worker
            found.worker.end()

    def _put_back(self, key: _Key, worker: Worker) -> None:
        surplus = [worker]
        with self._lock:
            if worker.is_usable and not self._is_closed:
                self._idle.append(_Idle(key, worker, monotonic()))
                surplus = [each.worker for each in self._idle[:-MOST_IDLE]]
                del self._idle[:-MOST_IDLE]
                self._set_timer()
        for each in surplus:
            each.end()

    def _set_timer(self) -> None:
        """For the one that waits longest; with the lock held."""
        if self._timer is None and self._idle:
            wait = self._idle[0].since + self._idle_seconds - monotonic()
            self._timer = threading.Timer(max(0.0, wait), self._end_idle)
            self._timer.daemon = True
            self._timer.start()

    def _end_idle(self) -> None:
        with self._lock:
            latest = monotonic() - self._idle_seconds
            ended = [each for each in self._idle if each.since <= latest]
            self._idle = [each for each in self._idle if each.since > latest]
            self._timer = None
            if not self._is_closed:
                self._set_timer()
        for each in ended:
            each.worker.end()

    def _refuse_resting(self, key: _Key) -> None:
        failures = self._failures.get(key, _Failures())
        left = failures.until - monotonic()
        if left > 0:
            message = f"the worker failed {failures.count} times in a row, and is tried again in {left:.0f} seconds"
            raise PiscesError(WORKER_RESTING.at(key.argv[-1], message, hint=f"try it: {key.argv[-1]} {WORKER_OPTION}"))

    def _note_failure(self, key: _Key) -> None:
        """After the first failure the next call may try at once, then the pause doubles."""
        count = self._failures.get(key, _Failures()).count + 1
        pause = min(2.0 ** (count - 1), _LONGEST_REST) if count > 1 else 0.0
        self._failures[key] = _Failures(count, monotonic() + pause)


def _identity(path: str) -> tuple[int, ...]:
    """Another one after every change, also after a swap and back again: that changes the last of the times."""
    try:
        status = os.stat(path)
    except OSError:  # starting it will say so
        return ()
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

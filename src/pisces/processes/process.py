"""A program for asyncio: started at once, followed by the running event loop, ended with everything that it started.

    async with Process.start(Launch(("rg", "--json", "x"), cwd, env)) as process:
        async for name, chunk in process:
            ...
        ended = await process.wait()

Several loops in several threads may each have their own. No signal handler, child watcher or policy of the loop is
touched. A start does not wait, so it cannot be cancelled halfway.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from contextlib import suppress
from time import monotonic

from pisces.processes.ended import STOPPED, Ended, not_started
from pisces.processes.launch import ERR, OUT, never
from pisces.processes.systems.members import members_of

if sys.platform == "win32":
    from pisces.processes.systems.windows import ThreadedRunning as Running
else:
    from pisces.processes.systems.posix import PolledRunning as Running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

    from pisces.processes.launch import Launch, Sink

_MOST_WAITING = 1 << 20  # bytes in either direction, before the program or the caller has to wait


async def run(launch: Launch, sink: Sink) -> Ended:
    """As the `run` that waits. What `sink` raises ends the program and is raised again; so does cancelling."""
    try:
        process = Process.start(launch, sink)
    except (OSError, ValueError) as error:
        return not_started(error)
    async with process:
        return await process.wait()


async def captured(launch: Launch) -> tuple[bytes, bytes, Ended]:
    """All that the program wrote. Set `limits.output`: this stays in memory."""
    written = {OUT: bytearray(), ERR: bytearray()}
    ended = await run(launch, lambda name, chunk: written[name].extend(chunk))
    return bytes(written[OUT]), bytes(written[ERR]), ended


class Process:
    """Without a `sink` its output is what iterating gives, and it has to wait while nobody iterates."""

    system = Running

    def __init__(self, launch: Launch, sink: Sink | None) -> None:
        loop = asyncio.get_running_loop()
        self._chunks: deque[tuple[str, bytes]] = deque()
        self._waiting = 0  # bytes in `_chunks`
        self._has_sink = sink is not None
        self._news = asyncio.Event()  # the loop that follows the program has something to do
        self._moved = asyncio.Event()  # output came, input went, or all is over
        self._error: Exception | None = None
        self._ended = Ended(None)
        self._running = self.system(launch, sink or self._keep, loop, self._serve)
        self._following = loop.create_task(self._followed(), name=f"pisces: {launch.argv[0]}")
        self._following.add_done_callback(lambda _: self._moved.set())

    @classmethod
    def start(cls, launch: Launch, sink: Sink | None = None) -> Self:
        """OSError or ValueError where it cannot be started. Without `async with`, the caller has to `close` it."""
        return cls(launch, sink)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> tuple[str, bytes]:
        chunk = await self.next_chunk()
        if chunk is None:
            raise StopAsyncIteration
        return chunk

    async def next_chunk(self, needed: str = "") -> tuple[str, bytes] | None:
        """None at the end, and when `needed` (OUT or ERR) is closed: a program may close it and live on."""
        while not self._chunks:
            if self._following.done() or (needed and needed not in self._running.outputs.values()):
                return None
            self._moved.clear()
            await self._moved.wait()
        name, chunk = self._chunks.popleft()
        self._waiting -= len(chunk)
        if self._waiting < _MOST_WAITING:
            self._running.resume()
        return name, chunk

    @property
    def pid(self) -> int:
        return self._running.child.pid

    @property
    def is_over(self) -> bool:
        return self._following.done()

    @property
    def has_exited(self) -> bool:
        """Whether the program itself has ended, though what it started may run on."""
        return self.is_over or self._running.child.exit_status() is not None

    def members(self) -> list[int]:
        """The processes of it that are alive, its own included. Always empty on Windows."""
        return members_of(self.pid, self._running.child.mark)

    @property
    def unwritten(self) -> int:
        """Bytes that the program has not read yet."""
        return self._running.unwritten

    def write(self, data: bytes) -> None:
        """To its stdin, if that is OPEN. Does not wait: use `drain`, or watch `unwritten`."""
        self._running.write(data)

    async def drain(self) -> None:
        """Until the program has read so much that more may be written. BrokenPipeError where it has ended."""
        while self.unwritten >= _MOST_WAITING and not self.is_over:
            self._moved.clear()
            await self._moved.wait()
        if self._running.is_deaf:
            raise BrokenPipeError("the program does not read any more")

    def close_input(self) -> None:
        self._running.close_input()

    def kill(self, reason: str = STOPPED) -> None:
        """Without grace. `reason` is in what `wait` returns, unless there was one before."""
        self._running.watch.give_up(reason)
        self._running.watch.kill_at = monotonic()
        if not self.is_over:
            self._running.child.kill_group()
        self._news.set()

    def when_over(self, call: Callable[[Ended], object]) -> None:
        self._following.add_done_callback(lambda _: call(self._ended))

    async def wait(self) -> Ended:
        """How it ended, once all of it has. Output that nobody has asked for is dropped. Raises what `sink` raised."""
        if not self._has_sink:
            async for _ in self:
                pass
        await asyncio.shield(self._following)
        if self._error is not None:
            raise self._error
        return self._ended

    async def close(self, patience: float = 0.0) -> None:
        """Closes its stdin, waits so many seconds for it to leave by itself, then asks it to, and kills it in the end.

        Cancelling this, or closing the loop, kills it at once.
        """
        self.close_input()
        # A timer, not `asyncio.timeout`: up to Python 3.11.3 that fails in a task that is being cancelled.
        timer = asyncio.get_running_loop().call_later(patience, self._end)
        try:
            await self._over()
        except asyncio.CancelledError:
            self.kill()
            raise
        finally:
            timer.cancel()

    def _end(self) -> None:
        self._running.watch.give_up(STOPPED)
        self._news.set()

    async def _over(self) -> None:
        while not self.is_over:
            self._drop()
            self._moved.clear()
            await self._moved.wait()

    def _drop(self) -> None:
        self._chunks.clear()
        self._waiting = 0
        self._running.resume()

    def _keep(self, name: str, chunk: bytes) -> None:
        self._chunks.append((name, chunk))
        self._waiting += len(chunk)
        if self._waiting >= _MOST_WAITING:
            self._running.pause()

    def _serve(self, key: Any) -> None:
        """The loop calls this when the program has written, can read or has ended."""
        try:
            self._running.serve(key)
        except Exception as error:  # noqa: BLE001  # of the caller's sink: `wait` raises it
            self._fail(error)
        self._moved.set()
        if self._running.is_ending:
            self._news.set()

    def _fail(self, error: Exception) -> None:
        self._error = self._error or error
        self._running.watch.give_up(STOPPED)

    async def _followed(self) -> None:
        running = self._running
        try:
            while not running.is_over():
                await self._look()
            running.drain()  # the end of the output comes with the end of the program, in either order
            if not running.leave():
                await _beside(running.clear)
            running.drain()
        except asyncio.CancelledError:  # the loop is closed: there is no time for grace
            running.child.kill()
            raise
        except Exception as error:  # noqa: BLE001  # of the caller's sink
            self._fail(error)
        finally:
            running.close()
            self._ended = running.child.ended(running.watch.reason)

    async def _look(self) -> None:
        """Waits until something may have changed, and asks the program to end where it has to."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._running.patience if self._running.needs_looks else None):
                await self._news.wait()
        if self._running.must_be_asked(never):
            await _beside(self._running.child.ask)


async def _beside(work: Callable[[], None]) -> None:
    """In a thread of its own: looking for processes and waiting for their end would hold the loop up."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def run_then_tell() -> None:
        work()
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(done.set_result, None)

    threading.Thread(target=run_then_tell, name="pisces-end", daemon=True).start()
    await asyncio.shield(done)

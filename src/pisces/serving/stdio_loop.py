"""The loop behind `stdio.serve`: from the first answer to the end of input, or to a signal."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pisces.serving.lines import LineWriter, read_lines
from pisces.serving.served_client import ServedClient
from pisces.serving.wire import MOST_LINE, line_of

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.serving.choices import ServeChoices
    from pisces.serving.stdio import Pipes

_LAST_WORDS = 1.0  # seconds
_MOST_AHEAD = 8  # lines that are read before those ahead of them are taken
_FINISH = 2.0  # seconds that requests under way have at the end of input
_LOOK_UP = 1.0  # seconds between two looks at whether the process that started us is still there
_SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


def run(places: Places, choices: ServeChoices, pipes: Pipes) -> int:
    asyncio.run(_served(places, choices, pipes))
    return 0


async def _served(places: Places, choices: ServeChoices, pipes: Pipes) -> None:
    loop, ended, no_more = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()

    def soon(act: Callable[..., object], *values: object) -> None:
        with suppress(RuntimeError):  # the loop is closed already
            loop.call_soon_threadsafe(act, *values)

    writer = LineWriter(pipes.output, lambda: soon(ended.set))
    waiting_lines = threading.BoundedSemaphore(_MOST_AHEAD)

    def send(message: Mapping[str, Any]) -> None:
        if "id" in message or not writer.is_full:  # a client that does not read misses how far a call has come
            writer.send(line_of(message))

    client = ServedClient(send, places, choices, pipes.greeted)

    def take_one(line: bytes) -> None:
        waiting_lines.release()
        client.connection.take(line)

    def take(line: bytes) -> None:
        if line:
            waiting_lines.acquire()
            soon(take_one, line)
        else:
            soon(no_more.set)

    async def finish() -> None:
        await no_more.wait()
        await client.connection.finish(_FINISH)

    end_on_signals(ended)
    read_lines(pipes.input, pipes.read, MOST_LINE, take, writer)
    waiting: list[Coroutine[Any, Any, object]] = [ended.wait(), finish(), _parent_gone(pipes.parent)]
    ends = [loop.create_task(each) for each in waiting]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for each in ends:
        each.cancel()
    await client.close()
    writer.end(_LAST_WORDS)


def end_on_signals(ended: asyncio.Event) -> None:
    """A signal ends us as the end of input does: hosts and what they started are closed."""
    loop = asyncio.get_running_loop()
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is None or signal.getsignal(number) == signal.SIG_IGN:  # as under `nohup`
            continue
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))


async def _parent_gone(parent: int) -> None:
    """A client that crashed may have left our input open in a program that it had started."""
    while os.name == "nt" or os.getppid() == parent:  # on Windows a process keeps the parent that it had
        await asyncio.sleep(_LOOK_UP)

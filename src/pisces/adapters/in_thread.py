"""A host for programs without an event loop: it is open in a thread of its own.

with host_in_thread(".", approve) as host:
    agent = gated(ToolCallingAgent(tools=[...], model=model), host)
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pisces.adapters.calls import calls_of
from pisces.host.host import Host

if TYPE_CHECKING:
    from typing import Unpack

    from pisces.host.options import Approve, OpenOptions
    from pisces.places import Places


@contextmanager
def host_in_thread(where: str | Places, approve: Approve, **options: Unpack[OpenOptions]) -> Iterator[Host]:
    """As `Host.open`, and `approve` is called in that thread. Only adapters may use the host from other threads."""
    ready: Future[tuple[Host, Callable[[], object]]] = Future()

    async def stay_open() -> None:
        loop, end = asyncio.get_running_loop(), asyncio.Event()
        async with Host.open(where, approve, **options) as host:
            calls_of(host)  # it remembers this loop
            ready.set_result((host, lambda: loop.call_soon_threadsafe(end.set)))
            await end.wait()

    def run() -> None:
        try:
            asyncio.run(stay_open())
        except BaseException as error:  # raised again in the thread that opened the host
            if ready.done():
                raise
            ready.set_exception(error)

    thread = threading.Thread(target=run, name="pisces: a host", daemon=True)
    thread.start()
    host, close = ready.result()
    try:
        yield host
    finally:
        close()
        thread.join()

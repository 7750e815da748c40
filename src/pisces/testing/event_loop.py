"""What is asynchronous, for plain tests: an event loop that runs only while a step of the test does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

Made = TypeVar("Made")


@contextmanager
def entered(making: AbstractAsyncContextManager[Made], name: str) -> Iterator[tuple[Made, asyncio.Runner]]:
    """What `making` gives, and the loop to run its coroutines in. `name` is for those who have a loop already."""
    _demand_no_loop(name)
    with asyncio.Runner() as loop:
        made = loop.run(_enter(making))
        try:
            yield made, loop
        except BaseException as error:
            loop.run(_leave(making, error))
            raise
        loop.run(_leave(making, None))


def _demand_no_loop(name: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(f"there is an event loop already: use `async with {name}(...)`")


async def _enter(making: AbstractAsyncContextManager[Made]) -> Made:
    return await making.__aenter__()


async def _leave(making: AbstractAsyncContextManager[object], error: BaseException | None) -> None:
    await making.__aexit__(type(error) if error else None, error, error.__traceback__ if error else None)

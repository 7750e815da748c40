"""Serves one client on standard input and output. The first answer is sent before anything heavy is loaded.

The protocol has descriptors of its own: whatever modules, hooks and programs print goes to standard error, and nobody
else reads what the client sends.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.ide.companion import rpc
from pisces.serving.greeting import greeting
from pisces.serving.wire import line_of, message_in
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.places import Places
    from pisces.serving.choices import ServeChoices

INITIALIZE = "initialize"
MOST_FIRST = 1 << 16  # bytes of a first message that is answered here


class Pipes(Value):
    """Two descriptors, and the process that started us. `greeted` has the params of `initialize` if that is answered;
    `read` is what came after it.
    """

    input: int
    output: int
    parent: int
    greeted: Any = None
    read: bytes = b""


def serve(places: Places, choices: ServeChoices) -> int:
    """Returns the exit code when the client has closed its end, or when a signal came."""
    pipes = _greeted(_own_pipes(), choices)
    status: int = export_of("pisces.serving", "stdio_loop", "run")(places, choices, pipes)
    return status


def _own_pipes() -> Pipes:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:  # it is closed: nobody speaks, or nobody reads
            os.dup2(nothing, number)
    pipes = Pipes(os.dup(0), os.dup(1), os.getppid())
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    if nothing > 2:
        os.close(nothing)
    return pipes


def _greeted(pipes: Pipes, choices: ServeChoices) -> Pipes:
    """Any other first message, and one that comes in too many pieces, is left to the loop."""
    read = read_some(pipes.input, MOST_FIRST)
    while read and b"\n" not in read and len(read) < MOST_FIRST:
        data = read_some(pipes.input, MOST_FIRST)
        if not data:
            break
        read += data
    line, end, rest = read.partition(b"\n")
    try:
        message = message_in(line) if end else rpc.Message("", None)
    except rpc.Fault:
        return pipes.replace(read=read)
    if message.method != INITIALIZE or not message.wants_answer:
        return pipes.replace(read=read)
    write_all(pipes.output, line_of(rpc.result(message.id, greeting(message.params, choices))))
    return pipes.replace(greeted=message.params if isinstance(message.params, dict) else {}, read=rest)


def read_some(input: int, most: int) -> bytes:
    """Nothing at the end, and where the other end is gone."""
    try:
        return os.read(input, most)
    except OSError:
        return b""


def write_all(output: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(output, left) :]

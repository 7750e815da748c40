"""Exchanges two folders: atomically where the system can, so that neither is ever missing."""

from __future__ import annotations

import ctypes
import os
import sys

from pisces.atomic import flush_folder, rename_atomically

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_AT_HERE = -100  # AT_FDCWD
_EXCHANGE = 2  # RENAME_EXCHANGE


def swap(incoming: str, target: str, outgoing: str) -> None:
    """Puts `incoming` at `target`; what was at `target` is at `incoming` afterwards.

    Without the system call it takes three renames through `outgoing`, which the next process can finish.
    """
    if not os.path.lexists(target):
        rename_atomically(incoming, target)
    elif exchanged(incoming, target):
        flush_folder(os.path.dirname(target))
        flush_folder(os.path.dirname(incoming))
    else:
        os.makedirs(os.path.dirname(outgoing), exist_ok=True)
        rename_atomically(target, outgoing)
        rename_atomically(incoming, target)
        rename_atomically(outgoing, incoming)


def exchanged(one: str, other: str) -> bool:
    """Whether the system call succeeded. Linux has it, on nearly all file systems."""
    call = _system_call()
    return call is not None and call(_AT_HERE, os.fsencode(one), _AT_HERE, os.fsencode(other), _EXCHANGE) == 0


def _system_call() -> Callable[[int, bytes, int, bytes, int], int] | None:
    if not sys.platform.startswith("linux"):
        return None
    call: Any = getattr(ctypes.CDLL(None), "renameat2", None)
    if call is None:  # an old C library
        return None
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    call.restype = ctypes.c_int
    found: Callable[[int, bytes, int, bytes, int], int] = call
    return found

"""The hash of a program's content, and what distinguishes files without reading them."""

from __future__ import annotations

import hashlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_CHUNK = 1 << 20
_FEW = 12


def content_hash(path: str, identity: tuple[int, ...] = ()) -> str:
    """The SHA-256 of a file's bytes; empty where it is not the very file that `identity` describes."""
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        if identity and identity_of(os.fstat(file.fileno())) != identity:
            return ""
        while chunk := file.read(_CHUNK):
            whole.update(chunk)
        if identity and identity_of(os.fstat(file.fileno())) != identity:
            return ""
    return whole.hexdigest()


def identity_of(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def in_a_line(changes: Sequence[str]) -> str:
    """The first ones, for a message. A card shows all of them."""
    more = [f"and {len(changes) - _FEW} more"] if len(changes) > _FEW else []
    return "; ".join((*changes[:_FEW], *more))

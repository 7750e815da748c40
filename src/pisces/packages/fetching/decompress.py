"""Expands compressed tar files to plain ones, up to a size and a compression ratio that no package needs."""

from __future__ import annotations

import gzip
import lzma
import os
import tarfile
import zipfile
import zlib

from pisces.diagnostics import ERROR, Rule
from pisces.packages.fetching.fetched import refused
from pisces.packages.store.validate_tree import MOST_BYTES, MOST_ENTRIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HIGHEST_RATIO = 200
HARMLESS = 1 << 20  # below this size any ratio is accepted
_CHUNK = 1 << 20
_MOST_MEMORY = 256 << 20  # xz files say how much memory they need
_HEADERS = 2 * MOST_ENTRIES * 512 + (8 << 20)  # bytes of a tar file besides the content of its files

# `zipfile` raises NotImplementedError for an unknown method, RuntimeError for a password and OSError for an invalid
# offset. A full disk raises OSError too.
BROKEN = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, gzip.BadGzipFile),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError, OSError),
)

ARCHIVE_BROKEN = Rule("archive-broken", ERROR, "An archive cannot be read")
ARCHIVE_BOMB = Rule("archive-bomb", ERROR, "An archive grows beyond reason when it is unpacked")

_MAGIC = ((b"PK\x03\x04", "zip"), (b"PK\x05\x06", "zip"), (b"\x1f\x8b", "gzip"), (b"\xfd7zXZ\0", "xz"))


def sort_of(path: str, label: str) -> str:
    """zip, gzip, xz or tar, by the first bytes. A zip with other bytes before it is recognised by its end."""
    with open(path, "rb") as file:
        start = file.read(512)
    for magic, sort in _MAGIC:
        if start.startswith(magic):
            return sort
    if start[257:262] == b"ustar" or (len(start) == 512 and tarfile.is_tarfile(path)):
        return "tar"
    if zipfile.is_zipfile(path):
        return "zip"
    what = "empty" if not start else "neither a zip, nor a tar, tar.gz or tar.xz file"
    raise refused([ARCHIVE_BROKEN.at(label, f"the archive is {what}")])


def refuse_bomb(total: int, packed: int, label: str) -> None:
    if total > MOST_BYTES + _HEADERS:
        raise refused([ARCHIVE_BOMB.at(label, f"it unpacks to more than {MOST_BYTES >> 20} MiB")])
    if total > HARMLESS and total > packed * HIGHEST_RATIO:
        raise refused([ARCHIVE_BOMB.at(label, f"it unpacks to more than {HIGHEST_RATIO} times its size")])


def expand(path: str, sort: str, label: str) -> str:
    """Expands a compressed tar file. Returns the path of the plain one, which is beside it."""
    packed, total = os.path.getsize(path), 0
    plain = f"{path}.plain"
    with open(plain, "wb") as file:
        for chunk in _xz_chunks(path) if sort == "xz" else _gzip_chunks(path):
            total += len(chunk)
            refuse_bomb(total, packed, label)
            file.write(chunk)
    return plain


def _gzip_chunks(path: str) -> Iterator[bytes]:
    with gzip.open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _xz_chunks(path: str) -> Iterator[bytes]:
    """As `lzma.open`, but with a memory limit."""
    with open(path, "rb") as file:
        reader = lzma.LZMADecompressor(lzma.FORMAT_XZ, _MOST_MEMORY)
        while not reader.eof:
            packed = file.read(1 << 16) if reader.needs_input else b""
            if reader.needs_input and not packed:
                raise EOFError("the end is missing")
            yield reader.decompress(packed, _CHUNK)

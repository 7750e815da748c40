"""Who serves a loopback port, as Linux says in `/proc/net/tcp`. Other systems do not say it to an ordinary program.

Every user of a machine may listen on a port that an editor has left. The interface has no way for a server to prove
who it is, so the owner of its socket is the only proof.
"""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterable, Iterator

from pisces.value import Value

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_LISTENING = "0A"
_ANY = ("0" * 8, "0" * 32)


class SocketRow(Value):
    """One line of the table. Addresses are in hexadecimal, as the kernel writes them, each with its port."""

    local: str
    remote: str
    state: str
    uid: int
    inode: int  # 0 until the server has accepted the connection


def stranger(server: tuple[str, int], client_port: int, rows: Iterable[SocketRow] | None = None) -> int | None:
    """The user who serves this connection, if it is another one; None if it is us, or if the system does not say."""
    own = own_user()
    if own is None:
        return None
    found = _server_rows(server, client_port, list(socket_rows(server[1]) if rows is None else rows))
    return next((row.uid for row in found if row.uid != own), None)


def own_user() -> int | None:
    """None on Windows, which has no such numbers."""
    if sys.platform == "win32":
        return None
    return os.getuid()


def listening_inodes(port: int) -> set[int]:
    """The sockets that accept connections to 127.0.0.1 on this port."""
    return {row.inode for row in _server_rows(("127.0.0.1", port), 0, list(socket_rows(port)))}


def socket_rows(port: int) -> Iterator[SocketRow]:
    """The rows of the sockets whose own end is this port; none where there is no such table."""
    wanted = f":{port:04X} "
    for table in _TABLES:
        try:
            with open(table, encoding="ascii", errors="replace") as file:
                lines = [line for line in file if wanted in line]
        except OSError:
            continue
        for words in map(str.split, lines):
            if len(words) > 9 and words[1].endswith(wanted.strip()) and words[7].isdigit() and words[9].isdigit():
                yield SocketRow(words[1], words[2], words[3], int(words[7]), int(words[9]))


def _server_rows(server: tuple[str, int], client_port: int, rows: list[SocketRow]) -> list[SocketRow]:
    """The accepted connection itself, else those who listen: the most precise address gets a connection."""
    host, port = server
    addresses = _spellings(host)
    mine = {f"{address}:{client_port:04X}" for address in addresses}
    here = {f"{address}:{port:04X}" for address in addresses}
    accepted = [row for row in rows if row.inode and row.local in here and row.remote in mine]
    if accepted and client_port:
        return accepted
    listening = [row for row in rows if row.state == _LISTENING]
    exact = [row for row in listening if row.local in here]
    return exact or [row for row in listening if row.local.partition(":")[0] in _ANY]


def _spellings(host: str) -> tuple[str, ...]:
    """An address as the tables write it: IPv4 in the first one, and mapped into IPv6 in the second one."""
    address = ipaddress.ip_address(host)
    if address.version == 6:
        return (_words(address.packed),)
    mapped = bytes(10) + b"\xff\xff" + address.packed
    return _words(address.packed), _words(mapped)


def _words(packed: bytes) -> str:
    """Words of four bytes, each written as a number of this machine."""
    words = (packed[at : at + 4] for at in range(0, len(packed), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)

"""The token of HTTP clients: from a private file, from the environment, or new for this run. Never empty."""

from __future__ import annotations

import os
import secrets
import stat
from typing import TYPE_CHECKING

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.files import MISSING, Unreadable, read_text

if TYPE_CHECKING:
    from pisces.places import Places

TOKEN_UNSAFE = Rule(
    "mcp-token-unsafe", ERROR, "The token of `pisces mcp serve --http` can be read or guessed by others"
)

VARIABLE = "PISCES_MCP_TOKEN"
_SHORTEST = 16


def token_for(places: Places, file: str | None) -> tuple[str, bool]:
    """The token, and whether it is new and stored nowhere. Raises `PiscesError` for one that protects nothing."""
    if file:
        return _in_file(places.absolute(file)), False
    given = places.env.get(VARIABLE, "")
    return (_checked(given, VARIABLE), False) if given else (secrets.token_urlsafe(32), True)


def _in_file(path: str) -> str:
    try:
        status = os.lstat(path)
        is_open = os.name == "posix" and bool(status.st_mode & (stat.S_IRWXG | stat.S_IRWXO))
        if is_open or not stat.S_ISREG(status.st_mode):
            raise PiscesError(TOKEN_UNSAFE.at(path, "others may read it", hint=f"chmod 600 {path}"))
        return _checked(read_text(path).strip(), path)
    except FileNotFoundError:
        token = secrets.token_urlsafe(32)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_atomically(path, f"{token}\n".encode("ascii"), 0o600)
        return token
    except Unreadable as error:
        why = "has gone" if error.kind == MISSING else error.message
        raise PiscesError(TOKEN_UNSAFE.at(path, why, hint="name another file")) from None


def _checked(token: str, place: str) -> str:
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable() or " " in token:
        hint = f"{_SHORTEST} printable characters or more: `python -c 'import secrets; print(secrets.token_urlsafe())'`"
        raise PiscesError(TOKEN_UNSAFE.at(place, "is no token that others cannot guess", hint=hint))
    return token

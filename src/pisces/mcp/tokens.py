"""The logins to servers: tokens in the secret store, bound to the server's address and to the client of its entry.

Vaults cannot list what is in them, so an index beside them has the addresses, issuers and vaults: no token, no secret.
What was stored for one address is never found for another, and what somebody moved there is not used.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from pisces.atomic import write_atomically
from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.disk import disk_faults
from pisces.file_lock import file_lock, held_lock
from pisces.formats.json import parse
from pisces.formats.json_file import object_at
from pisces.formats.malformed import Malformed
from pisces.mcp.http_address import shown_address
from pisces.packages.settings.secrets import put_secret, vaults_here
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pisces.packages.settings.secrets import Vault
    from pisces.places import Places

_VAULTS = "pisces.packages.settings.vaults"
_INDEX = "logins.json"


class Grant(Value):
    """What a login gave, and who it was for. Never shown: `repr` has no token in it.

    `url` is the server's address and `configured` the client that its entry names, empty where we registered one.
    `expires_at` is a time of the clock, None where nobody said. `token_url` is where the refresh token may be sent.
    A grant without `access` is a client that is registered and not logged in.
    """

    url: str
    configured: str
    issuer: str
    client_id: str
    token_url: str
    client_secret: str = ""
    auth_method: str = ""
    redirect_uri: str = ""
    revocation_url: str = ""
    resource: str = ""
    access: str = ""
    refresh: str = ""
    expires_at: float | None = None
    scope: str = ""

    def __repr__(self) -> str:
        return f"Grant({shown_address(self.url)!r}, issuer={self.issuer!r}, ...)"

    def lasts_until(self, time: float) -> bool:
        return bool(self.access) and (self.expires_at is None or self.expires_at > time)


class Login(Value):
    """A row of the index."""

    url: str
    configured: str
    name: str = ""
    issuer: str = ""
    vault: str = ""


class TokenStore:
    """Every method may raise `PiscesError`, and takes as long as a vault does: call it in a thread."""

    def __init__(self, places: Places, vaults: Callable[[Places], Sequence[Vault]] = vaults_here) -> None:
        self._places, self._open = places, vaults
        self._folder = os.path.join(places.agent_dir, "mcp")

    def check(self) -> None:
        """Raises where a token could not be stored, before anybody logs in for nothing."""
        if not self._open(self._places):
            put_secret((), "", "")

    def logins(self) -> tuple[Login, ...]:
        rows = object_at(self._path).get("logins")
        texts = [_texts(row) for row in (rows if isinstance(rows, list) else ())]
        return tuple(Login(**row) for row in texts if row.get("url") and "configured" in row)

    def find(self, url: str, configured: str) -> Grant | None:
        """No vault is opened where the index has no such login."""
        login = self._login(url, configured)
        if login is None:
            return None
        vault = self._vault(login)
        text = vault.find(_account(url, configured)) if vault else None
        grant = _grant(text) if text else None
        return grant if grant and (grant.url, grant.configured) == (url, configured) else None

    def put(self, grant: Grant, name: str) -> str:
        """Into the vault that it is in, else into the best. Returns the id of that vault."""
        account = _account(grant.url, grant.configured)
        before = self._login(grant.url, grant.configured)
        own = self._vault(before) if before else None
        every = [*([own] if own else []), *self._open(self._places)]
        with self._changing() as rows:
            vault = put_secret(every, account, json.dumps(_fields(grant)))
            row = Login(grant.url, grant.configured, name or (before.name if before else ""), grant.issuer, vault)
            rows[grant.url, grant.configured] = row
        if own and own.id != vault:
            with suppress(PiscesError):  # an older copy, which the index does not lead to
                own.drop(account)
        return vault

    def drop(self, url: str, configured: str) -> None:
        login = self._login(url, configured)
        with self._changing() as rows:
            vault = self._vault(login) if login else None
            if vault:
                vault.drop(_account(url, configured))
            rows.pop((url, configured), None)

    def try_lock(self, url: str, configured: str) -> int | None:
        """A lock on one login across processes, until the descriptor is closed. None while somebody else has it."""
        with disk_faults(self._places.agent_dir):
            os.makedirs(self._folder, 0o700, exist_ok=True)
            try:
                return held_lock(os.path.join(self._folder, f"{_digest(url, configured)}.lock"))
            except PiscesError:
                return None

    @property
    def _path(self) -> str:
        return os.path.join(self._folder, _INDEX)

    def _login(self, url: str, configured: str) -> Login | None:
        return next((each for each in self.logins() if (each.url, each.configured) == (url, configured)), None)

    def _vault(self, login: Login) -> Vault | None:
        """The one that it was stored in, also where the environment now says another."""
        if login.vault not in ("keyring", "file", "plain"):
            return None
        opened = next((each for each in self._open(self._places) if each.id == login.vault), None)
        found: Vault | None = opened or export_of(_VAULTS, login.vault, "open_vault")(self._places)
        return found

    @contextmanager
    def _changing(self) -> Iterator[dict[tuple[str, str], Login]]:
        with disk_faults(self._places.agent_dir):
            os.makedirs(self._folder, 0o700, exist_ok=True)
            with file_lock(f"{self._path}.lock", lambda _text: None):
                rows = {(each.url, each.configured): each for each in self.logins()}
                yield rows
                content = {
                    "logins": [dict(zip(Login.__fields__, row.as_tuple(), strict=True)) for row in rows.values()]
                }
                write_atomically(self._path, json.dumps(content, indent=1).encode(), 0o600)


def _fields(value: Value) -> dict[str, Any]:
    return dict(zip(value.__fields__, value.as_tuple(), strict=True))


def _digest(url: str, configured: str) -> str:
    return hashlib.sha256(f"{url}\n{configured}".encode()).hexdigest()[:32]


def _account(url: str, configured: str) -> str:
    return f"mcp-login {shown_address(url)} {_digest(url, configured)}"


def _texts(row: Any) -> dict[str, str]:
    fields = row.items() if isinstance(row, dict) else ()
    return {key: value for key, value in fields if key in Login.__fields__ and isinstance(value, str)}


def _grant(text: str) -> Grant | None:
    try:
        stored = parse(text)
    except Malformed:
        return None
    return _read(stored) if isinstance(stored, dict) else None


def _read(stored: Mapping[str, Any]) -> Grant | None:
    texts = {key: stored[key] for key in Grant.__fields__ if isinstance(stored.get(key), str)}
    until = stored.get("expires_at")
    needed = ("url", "configured", "issuer", "client_id", "token_url")
    if any(key not in texts for key in needed) or isinstance(until, bool):
        return None
    return Grant(**texts, expires_at=until if isinstance(until, int | float) else None)

"""The vaults for secrets on this machine, best first: the operating system's keyring, then encrypted files.

Secrets are stored as plain text only if the user asks for exactly that. Messages never contain one.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, WARNING, PiscesError, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from pisces.places import Places

    class Vault(Protocol):
        """Stores texts by account. Every method may raise PiscesError; none prints."""

        @property
        def id(self) -> str: ...

        def put(self, account: str, text: str) -> None: ...

        def find(self, account: str) -> str | None: ...

        def drop(self, account: str) -> None: ...


SECRET_UNREACHABLE = Rule("secret-unreachable", ERROR, "A secret cannot be reached")
SECRET_PLAIN = Rule("secret-not-encrypted", WARNING, "A secret is stored in a file that is not encrypted")
NO_VAULT = Rule("no-vault", ERROR, "There is no safe place for a secret")

STORE_VARIABLE = "PISCES_SECRETS_STORE"  # `keyring`, `file` or `plain`; the first two are tried when it is not set
PLAIN = "plain"
_BEST_FIRST = ("keyring", "file")


def vaults_here(places: Places) -> list[Vault]:
    """The vaults that work on this machine. This loads their libraries, so call it only for a secret."""
    chosen = places.env.get(STORE_VARIABLE, "")
    if chosen not in ("", *_BEST_FIRST, PLAIN):
        hint = f"{STORE_VARIABLE} takes {', '.join(_BEST_FIRST)} or {PLAIN}"
        raise PiscesError(NO_VAULT.at("", f"`{chosen}` is not a place for secrets", hint=hint))
    names = [chosen] if chosen else _BEST_FIRST
    vaults = (export_of("pisces.packages.settings.vaults", name, "open_vault")(places) for name in names)
    return [vault for vault in vaults if vault is not None]


def put_secret(vaults: Sequence[Vault], account: str, text: str) -> str:
    """Stores a secret in the first vault that accepts it. Returns the id of that vault."""
    refused: PiscesError | None = None
    for vault in vaults:
        try:
            vault.put(account, text)
        except PiscesError as error:
            refused = refused or error
        else:
            return vault.id
    hint = (
        "pip install 'pisces-agent[secrets]' for the keyring or an encrypted file; or add --insecure-storage, "
        "for a file that only you can read, not encrypted"
    )
    raise refused or PiscesError(NO_VAULT.at("", "secrets cannot be kept safely here", hint=hint))

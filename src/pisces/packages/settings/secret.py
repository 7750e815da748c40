"""The interface of all vaults, and their rules. Messages never contain a secret."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Vault(Protocol):
        """Stores texts by account. Every method may raise PiscesError; none prints."""

        @property
        def id(self) -> str: ...

        def put(self, account: str, text: str) -> None: ...

        def find(self, account: str) -> str | None: ...

        def drop(self, account: str) -> None: ...


SECRET_UNREACHABLE = Rule(
    "secret-unreachable",
    ERROR,
    "A secret cannot be reached",
    "It is in a keyring that is locked or gone, or in an encrypted file whose key or passphrase is another one now.",
    "PISCES_SECRETS_PASSPHRASE=old pisces extensions config review, after it was stored with `new`",
    "Unlock the keyring, set the same passphrase again, or store the value anew.",
)
NO_VAULT = Rule(
    "no-vault",
    ERROR,
    "There is no safe place for a secret",
    "Secrets go to the operating system's keyring, else into an encrypted file. Neither library is installed, and "
    "plain text is no alternative.",
    "pisces extensions config review --set API_KEY=... in a bare install",
    "pip install 'pisces-agent[secrets]', then the same again",
)

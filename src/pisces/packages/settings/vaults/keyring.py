"""The keyring of the operating system: Keychain, Credential Manager, Secret Service or KWallet, with `keyring`.

On many machines the library has no real backend: it offers one that fails, one that stores nothing, or one that writes
plain text. None of these counts.
"""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.packages.settings.secrets import SECRET_UNREACHABLE

try:
    import keyring as library
except ImportError:  # the extra `secrets` is not installed
    library = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keyring.backend import KeyringBackend

    from pisces.places import Places

SERVICE = "pisces"
_NOT_STORING = ("keyring.backends.fail", "keyring.backends.null")
_PLAIN_TEXT = ("Plaintext", "PlainText", "Uncrypted")
_GOOD_ENOUGH = 1.0  # the library's own limit for recommended backends


class KeyringVault:
    """One entry for each secret: service `pisces`, the account as the user name."""

    id = "keyring"

    def __init__(self, backend: KeyringBackend) -> None:
        self._backend = backend

    def put(self, account: str, text: str) -> None:
        try:
            self._backend.set_password(SERVICE, account, text)
            stored = self._backend.get_password(SERVICE, account)
        except Exception as error:  # noqa: BLE001  # a keyring backend may raise anything
            raise _unreachable(account, error) from None
        if stored != text:  # some backends cut long values, some store nothing
            raise PiscesError(SECRET_UNREACHABLE.at("", f"the keyring did not keep `{account}`"))

    def find(self, account: str) -> str | None:
        try:
            return self._backend.get_password(SERVICE, account)
        except Exception as error:  # noqa: BLE001  # as above
            raise _unreachable(account, error) from None

    def drop(self, account: str) -> None:
        if self.find(account) is None:
            return
        try:
            self._backend.delete_password(SERVICE, account)
        except Exception as error:  # noqa: BLE001  # as above
            raise _unreachable(account, error) from None


def open_vault(_places: Places) -> KeyringVault | None:
    if library is None:
        return None
    try:
        backend = next(usable(library.get_keyring()), None)
    except Exception:  # noqa: BLE001  # the library is configured with a backend that does not load
        return None
    return KeyringVault(backend) if backend else None


def usable(backend: KeyringBackend) -> Iterator[KeyringBackend]:
    """The backends behind this one that really store secrets, best first. A chain has several."""
    inside = getattr(backend, "backends", None)
    for each in (backend,) if inside is None else inside:
        kind = type(each)
        if kind.__module__ in _NOT_STORING or any(word in kind.__name__ for word in _PLAIN_TEXT):
            continue
        if _priority(each) >= _GOOD_ENOUGH:
            yield each


def _priority(backend: KeyringBackend) -> float:
    try:
        return float(backend.priority)
    except Exception:  # noqa: BLE001  # a backend that does not work here may raise anything
        return 0.0


def _unreachable(account: str, error: Exception) -> PiscesError:
    message = f"the keyring does not give access to `{account}`: {type(error).__name__}"
    hint = "unlock it, or set PISCES_SECRETS_STORE=file to use the encrypted file"
    return PiscesError(SECRET_UNREACHABLE.at("", message, hint=hint))

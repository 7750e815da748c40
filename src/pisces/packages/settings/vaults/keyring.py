"""The keyring of the operating system: Keychain, Credential Manager, Secret Service or KWallet, by way of `keyring`.

Many machines have the library and no keyring behind it; then it offers a backend that fails, or one that forgets. And
some have a backend that writes plain text. None of these counts.
"""

from __future__ import annotations

from pisces.diagnostics import PiscesError
from pisces.packages.settings.secret import SECRET_UNREACHABLE

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
_NOT_KEEPING = ("keyring.backends.fail", "keyring.backends.null")
_PLAIN_TEXT = ("Plaintext", "PlainText", "Uncrypted")
_GOOD_ENOUGH = 1.0  # the line that the library itself draws between recommended backends and last resorts


class KeyringVault:
    """One entry a secret: service `pisces`, the account as the user name."""

    id = "keyring"

    def __init__(self, backend: KeyringBackend) -> None:
        self._backend = backend

    def put(self, account: str, text: str) -> None:
        try:
            self._backend.set_password(SERVICE, account, text)
            kept = self._backend.get_password(SERVICE, account)
        except Exception as error:  # noqa: BLE001  # the border with keyring backends, which raise what they like
            raise _unreachable(account, error) from None
        if kept != text:  # some cut long values, some keep nothing
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
    except Exception:  # noqa: BLE001  # the user's configuration of the library names a backend that does not load
        return None
    return KeyringVault(backend) if backend else None


def usable(backend: KeyringBackend) -> Iterator[KeyringBackend]:
    """The backends behind this one that really keep secrets, best first. A chain offers several."""
    inside = getattr(backend, "backends", None)
    for each in (backend,) if inside is None else inside:
        kind = type(each)
        if kind.__module__ in _NOT_KEEPING or any(word in kind.__name__ for word in _PLAIN_TEXT):
            continue
        if _priority(each) >= _GOOD_ENOUGH:
            yield each


def _priority(backend: KeyringBackend) -> float:
    try:
        return float(backend.priority)
    except Exception:  # noqa: BLE001  # a backend that does not work here says so by raising anything at all
        return 0.0


def _unreachable(account: str, error: Exception) -> PiscesError:
    message = f"the keyring does not give access to `{account}`: {type(error).__name__}"
    hint = "unlock it, or set PISCES_SECRETS_STORE=file to use the encrypted file"
    return PiscesError(SECRET_UNREACHABLE.at("", message, hint=hint))

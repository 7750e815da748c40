"""Encrypted files, one for each secret, for machines without a keyring: AES-256-GCM, bound to the account.

The key is in a file, or derived from PISCES_SECRETS_PASSPHRASE with scrypt. A key file protects secrets from other
users and backups, but not from a program that runs as the same user; a passphrase does. Each secret has its own file,
so two writers of different secrets never change the same file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets

from pisces.atomic import flush_folder, write_atomically
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.packages.settings.secrets import SECRET_UNREACHABLE

try:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
except ImportError:  # the extra `secrets` is not installed
    AESGCM = None  # type: ignore[assignment, misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.places import Places

PASSPHRASE = "PISCES_SECRETS_PASSPHRASE"
_KEY_BYTES = 32
_NONCE_BYTES = 12
_SCRYPT_COST = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}
_BY_FILE, _BY_PASSPHRASE = "file", "passphrase"


class FileVault:
    """A folder with `key` or `salt`, and `<hash of the account>.secret` files, all of them private to this user."""

    id = "file"

    def __init__(self, folder: str, passphrase: str) -> None:
        self._folder = folder
        self._passphrase = passphrase

    def put(self, account: str, text: str) -> None:
        made = _BY_PASSPHRASE if self._passphrase else _BY_FILE
        nonce = secrets.token_bytes(_NONCE_BYTES)
        try:
            sealed = AESGCM(self._key(made, _random_file)).encrypt(nonce, text.encode("utf-8"), account.encode("utf-8"))
            record = {"version": 1, "key": made, "nonce": _coded(nonce), "sealed": _coded(sealed)}
            write_atomically(self._path(account), json.dumps(record).encode("ascii"), 0o600)
        except OSError as error:
            raise PiscesError(disk_fault(error, self._path(account), SECRET_UNREACHABLE)) from None

    def find(self, account: str) -> str | None:
        path = self._path(account)
        try:
            record = json.loads(read_bytes(path))
            nonce, sealed = (base64.b64decode(record[key]) for key in ("nonce", "sealed"))
            key = self._key(record["key"], _present)
            return AESGCM(key).decrypt(nonce, sealed, account.encode("utf-8")).decode("utf-8")
        except Unreadable as error:
            if error.kind == MISSING:
                return None
            raise _unreachable(path, error.message) from None
        except InvalidTag:
            raise _unreachable(path, "cannot be opened with the key that is here now") from None
        except (ValueError, KeyError, TypeError):
            raise _unreachable(path, "is not a secret of ours, or damaged") from None

    def drop(self, account: str) -> None:
        try:
            os.unlink(self._path(account))
            flush_folder(self._folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise _unreachable(self._path(account), f"cannot be removed: {error.strerror}") from None

    def _path(self, account: str) -> str:
        return os.path.join(self._folder, hashlib.sha256(account.encode("utf-8")).hexdigest() + ".secret")

    def _key(self, made: object, random_at: Callable[[str], bytes]) -> bytes:
        if made == _BY_FILE:
            return random_at(os.path.join(self._folder, "key"))
        if not self._passphrase:
            raise _unreachable(self._folder, f"needs the passphrase in {PASSPHRASE}")
        salt = random_at(os.path.join(self._folder, "salt"))
        return hashlib.scrypt(self._passphrase.encode("utf-8"), salt=salt, dklen=_KEY_BYTES, **_SCRYPT_COST)


def open_vault(places: Places) -> FileVault | None:
    if AESGCM is None:
        return None
    return FileVault(os.path.join(places.agent_dir, "secrets"), places.env.get(PASSPHRASE, ""))


def _random_file(path: str) -> bytes:
    """Random bytes, created once and never replaced. If two processes create them, one wins and both use it."""
    found = _read_random(path)
    if found is not None:
        return found
    folder = os.path.dirname(path)
    os.makedirs(folder, 0o700, exist_ok=True)
    aside = f"{path}.{os.getpid()}.{secrets.token_hex(4)}.new"
    write_atomically(aside, secrets.token_bytes(_KEY_BYTES), 0o600)
    try:
        _put_once(aside, path)
    finally:
        if os.path.lexists(aside):
            os.unlink(aside)
    flush_folder(folder)
    return _present(path)


def _present(path: str) -> bytes:
    found = _read_random(path)
    if found is None:
        raise _unreachable(path, "is missing, and without it what it closed stays closed")
    return found


def _read_random(path: str) -> bytes | None:
    try:
        found = read_bytes(path)
    except Unreadable as error:
        if error.kind == MISSING:
            return None
        raise _unreachable(path, error.message) from None
    if len(found) != _KEY_BYTES:
        raise _unreachable(path, "is damaged")
    return found


def _put_once(aside: str, path: str) -> None:
    """Renames a complete file atomically, unless the target exists."""
    try:
        if os.name == "nt":
            os.rename(aside, path)  # never replaces on Windows
        else:
            os.link(aside, path)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links
        if not os.path.lexists(path):
            os.rename(aside, path)


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _unreachable(path: str, message: str) -> PiscesError:
    return PiscesError(SECRET_UNREACHABLE.at(path, message))

"""Files that only this user may read, not encrypted: for machines without a keyring, and only if the user asks for it.

Who can read the home folder, its backups included, reads the secret. Every command that shows the setting says so.
"""

from __future__ import annotations

import hashlib
import os

from pisces.atomic import flush_folder, write_atomically
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.packages.settings.secrets import PLAIN, SECRET_UNREACHABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places


class PlainVault:
    """A folder with a file for each secret, private to this user as far as file modes go."""

    id = PLAIN

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def put(self, account: str, text: str) -> None:
        try:
            os.makedirs(self._folder, 0o700, exist_ok=True)
            os.chmod(self._folder, 0o700)
            write_atomically(self._path(account), text.encode("utf-8"), 0o600)
        except OSError as error:
            raise PiscesError(disk_fault(error, self._path(account), SECRET_UNREACHABLE)) from None

    def find(self, account: str) -> str | None:
        try:
            return read_bytes(self._path(account)).decode("utf-8")
        except Unreadable as error:
            if error.kind == MISSING:
                return None
            raise _unreachable(self._path(account), error.message) from None
        except UnicodeDecodeError:
            raise _unreachable(self._path(account), "is not a secret of ours, or damaged") from None

    def drop(self, account: str) -> None:
        try:
            os.unlink(self._path(account))
            flush_folder(self._folder)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise _unreachable(self._path(account), f"cannot be removed: {error.strerror}") from None

    def _path(self, account: str) -> str:
        return os.path.join(self._folder, hashlib.sha256(account.encode("utf-8")).hexdigest() + ".plain")


def open_vault(places: Places) -> PlainVault:
    return PlainVault(os.path.join(places.agent_dir, "secrets", "not-encrypted"))


def _unreachable(path: str, message: str) -> PiscesError:
    return PiscesError(SECRET_UNREACHABLE.at(path, message))

"""The record of stored settings for each package: names and places, no values. Keyrings cannot list their entries."""

from __future__ import annotations

import json
import os
from urllib.parse import quote

from pisces.atomic import flush_folder, write_atomically
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.formats.json_file import json_at
from pisces.packages.settings.secrets import SECRET_UNREACHABLE
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.places import Places

SETTINGS_UNWRITABLE = Rule("settings-unwritable", ERROR, "A value cannot be stored")

SETTINGS_FOLDER = (".pisces", "settings")  # of a workspace
_DEVICES = frozenset("con prn aux nul".split()) | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}


class StoredSecret(Value):
    """Where a secret is: `folder` is its workspace, empty for the user's. An empty `vault` means any vault."""

    env_var: str
    folder: str
    vault: str


class StoredRecord(Value):
    """The record of a package: the names of its secrets, and the hash of its plain file in each workspace."""

    secrets: tuple[StoredSecret, ...] = ()
    workspaces: Mapping[str, str] = EMPTY

    def secret(self, env_var: str, folder: str) -> StoredSecret | None:
        return next((each for each in self.secrets if (each.env_var, each.folder) == (env_var, folder)), None)

    def with_secret(self, secret: StoredSecret) -> StoredRecord:
        return self.replace(secrets=(*self.without_secret(secret).secrets, secret))

    def without_secret(self, secret: StoredSecret) -> StoredRecord:
        place = (secret.env_var, secret.folder)
        return self.replace(secrets=tuple(each for each in self.secrets if (each.env_var, each.folder) != place))


def settings_folder(places: Places) -> str:
    return os.path.join(places.agent_dir, "packages", "settings")


def file_name(package: str) -> str:
    """A file name for a package: not a path, and not the name of a device on Windows."""
    name = quote(package, safe="")
    if name.startswith(".") or is_device(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    return name


def is_device(name: str) -> bool:
    """Whether this is the name of a device on Windows, with any suffix."""
    return name.lower().partition(".")[0] in _DEVICES


def read_record(package: str, places: Places) -> StoredRecord:
    found = json_at(_path(package, places), SECRET_UNREACHABLE, "the record of stored values")
    return _from_json(found if isinstance(found, dict) else {})


def write_record(package: str, places: Places, record: StoredRecord) -> None:
    """Replaces the record. An empty record is removed if the package has no plain file."""
    path = _path(package, places)
    plain = os.path.join(settings_folder(places), file_name(package) + ".env")
    if not record.secrets and not record.workspaces and not os.path.lexists(plain):
        remove_file(path)
        return
    secrets = [{"variable": each.env_var, "workspace": each.folder, "vault": each.vault} for each in record.secrets]
    content = {"version": 1, "package": package, "secrets": secrets, "workspaces": dict(record.workspaces)}
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        write_atomically(path, json.dumps(content, indent=2).encode("utf-8") + b"\n", 0o600)
    except OSError as error:
        raise PiscesError(disk_fault(error, path, SETTINGS_UNWRITABLE)) from None


def remove_file(path: str) -> None:
    """Removes one of our files. A missing file is fine."""
    try:
        os.unlink(path)
        flush_folder(os.path.dirname(path))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise PiscesError(SETTINGS_UNWRITABLE.at(path, f"the file cannot be removed: {error.strerror}")) from None


def _path(package: str, places: Places) -> str:
    return os.path.join(settings_folder(places), file_name(package) + ".json")


def _from_json(found: dict[str, object]) -> StoredRecord:
    listed, folders = found.get("secrets"), found.get("workspaces")
    secrets = [
        StoredSecret(str(each["variable"]), str(each.get("workspace", "")), str(each.get("vault", "")))
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, dict) and "variable" in each
    ]
    workspaces = {str(key): str(value) for key, value in folders.items()} if isinstance(folders, dict) else {}
    return StoredRecord(tuple(secrets), workspaces)

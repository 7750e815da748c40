"""The stored values of a package's settings. They are outside the package: updates keep them, uninstall removes them.

Plain values are in `.env` files of pisces, one for the user and one for each workspace; the project's own `.env` is
never touched. Sensitive values are in a vault. Workspace comes before user before default. The process's environment is
not read, because a package could name any key in it. A workspace's file counts if this user wrote or trusts it.
Writers must hold the lock of the store.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import contextmanager, suppress

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, WARNING, Diagnostic, PiscesError, Rule
from pisces.discovery.containment import stays_inside
from pisces.disk import disk_fault
from pisces.files import MISSING, Unreadable, read_text
from pisces.packages.settings.answers import accepted, checked, default_text, setting_named
from pisces.packages.settings.described import DEFAULT, USER, WORKSPACE, ReadValues, StoredValue
from pisces.packages.settings.dotenv import env_text, parse_env
from pisces.packages.settings.records import (
    SETTINGS_FOLDER,
    SETTINGS_UNWRITABLE,
    StoredRecord,
    StoredSecret,
    file_name,
    read_record,
    remove_file,
    settings_folder,
    write_record,
)
from pisces.packages.settings.secrets import (
    PLAIN,
    SECRET_PLAIN,
    SECRET_UNREACHABLE,
    STORE_VARIABLE,
    put_secret,
    vaults_here,
)
from pisces.packages.store.acts import values_in
from pisces.packages.store.store import own_store, read_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pisces.packages.settings.secrets import Vault
    from pisces.packages.settings.settings import Setting
    from pisces.places import Places

SETTINGS_NOT_OURS = Rule("settings-not-ours", WARNING, "A workspace brings settings that this user did not write")


def workspace_file(package: str, folder: str) -> str:
    """Where a workspace has the values of a package."""
    return os.path.join(folder, *SETTINGS_FOLDER, file_name(package) + ".env")


class Values:
    """The values of one package for one user and one workspace.

    `trusted` means that the user agreed to the workspace's file as it is: then it counts, whoever wrote it.
    """

    def __init__(
        self,
        package: object,
        places: Places,
        *,
        trusted: bool = False,
        vaults: Callable[[Places], Sequence[Vault]] = vaults_here,
    ) -> None:
        self.package = str(package)
        self._trusted = trusted
        self._places = places
        self._open_vaults = vaults
        self._vault_cache: Sequence[Vault] | None = None  # opening a vault loads libraries
        self._here = os.path.realpath(places.cwd)

    def read(self, settings: Sequence[Setting]) -> ReadValues:
        """The values by variable, and what is missing."""
        problems: list[Diagnostic] = []
        record = self._known(problems)
        plain = {scope: self._plain(scope, problems) for scope in (WORKSPACE, USER)}
        values: dict[str, StoredValue] = {}
        for setting in settings:
            stored = self._found(setting, record, plain, problems)
            if stored is not None:
                values[setting.env_var] = stored
        missing = [each for each in settings if each.required and each.env_var not in values]
        return ReadValues(values, tuple(missing), tuple(problems))

    def write(self, settings: Sequence[Setting], answers: Mapping[str, str | None], scope: str = USER) -> None:
        """Stores answers by variable; None removes one. All are checked before any is stored."""
        by_setting = {setting_named(settings, name): text for name, text in answers.items()}
        texts = {each: None if text is None else accepted(each, text) for each, text in by_setting.items()}
        lines = self._changeable(scope)
        for setting, text in texts.items():
            if text is None or setting.sensitive:
                lines.pop(setting.env_var, None)
            else:
                lines[setting.env_var] = text
        data = self._as_file(scope, lines)
        for setting, text in texts.items():
            self._settle_secret(setting, text if setting.sensitive else None, scope)
        self._store_plain(scope, data)

    def settle(self, settings: Sequence[Setting]) -> None:
        """After an update: moves values that are sensitive now from the plain file into a vault."""
        for scope in (USER, WORKSPACE):
            plain = self._plain(scope, [])
            sensitive = [each.env_var for each in settings if each.sensitive]
            moving = {name: plain[name] for name in sensitive if name in plain}
            if moving:
                self.write(settings, moving, scope)

    def carry_from(self, other: Values) -> None:
        """Copies all values of a package that gets this one's name. Raises if one cannot be copied; `other` stays."""
        record = read_record(other.package, self._places)
        if plain := _text_at(other._path(USER)):
            self._write_file(self._path(USER), plain, USER)
        made = StoredRecord()
        write_record(self.package, self._places, made)
        for folder, digest in record.workspaces.items():
            path, plain = self._workspace_file(folder), _text_at(other._workspace_file(folder))
            if _digest(plain) != digest or os.path.lexists(path) or not stays_inside(os.path.dirname(path), folder):
                continue  # not what this user stored, or the workspace brings a file of its own
            self._write_file(path, plain, USER)
            made = made.replace(workspaces={**made.workspaces, folder: digest})
        for secret in record.secrets:
            made = made.with_secret(secret)
            write_record(self.package, self._places, made)  # before the secret: none is ever unrecorded
            self._copy_secret(secret, other)
        write_record(self.package, self._places, made)

    def _copy_secret(self, secret: StoredSecret, other: Values) -> None:
        """Into the vault that it is in: plain text was asked for when it was stored."""
        vaults = self._vaults_of(secret)
        if not vaults:
            raise other._no_vault(secret)
        for vault in vaults:
            text = vault.find(other._account(secret))
            if text is not None:
                vault.put(self._account(secret), text)

    def forget(self) -> list[Diagnostic]:
        """Removes the package's values in all workspaces. Returns what cannot be reached, which stays recorded."""
        record = read_record(self.package, self._places)
        problems: list[Diagnostic] = []
        left = []
        for secret in record.secrets:
            try:
                self._drop(secret)
            except PiscesError as error:
                problems.append(error.diagnostic)
                left.append(secret)
        for folder, digest in record.workspaces.items():
            path = self._workspace_file(folder)
            if _digest(_text_at(path)) == digest and stays_inside(path, folder):
                remove_file(path)
        remove_file(self._path(USER))
        write_record(self.package, self._places, StoredRecord(tuple(left), {}))
        return problems

    def _found(
        self, setting: Setting, record: StoredRecord, plain: Mapping[str, Mapping[str, str]], problems: list[Diagnostic]
    ) -> StoredValue | None:
        for scope in (WORKSPACE, USER):
            secret = self._secret(setting, record, scope, problems)
            text = plain[scope].get(setting.env_var) if secret is None else secret
            if text is None:
                continue
            hidden = setting.sensitive or secret is not None  # an update must not make a secret visible
            value = checked(setting.replace(sensitive=hidden), text)
            if not isinstance(value, Diagnostic):
                return StoredValue(text, scope, hidden)
            problems.append(value)
        text = default_text(setting)
        return None if text is None else StoredValue(text, DEFAULT, setting.sensitive)

    def _secret(self, setting: Setting, record: StoredRecord, scope: str, problems: list[Diagnostic]) -> str | None:
        secret = record.secret(setting.env_var, self._folder(scope))
        if secret is None:
            return None
        try:
            found = [vault.find(self._account(secret)) for vault in self._vaults_of(secret)]
        except PiscesError as error:
            problems.append(error.diagnostic.replace(about=setting.env_var))
            return None
        text = next((each for each in found if each is not None), None)
        if text is None:
            message = f"`{setting.name}` was stored and is not found any more"
            problems.append(SECRET_UNREACHABLE.at("", message, about=setting.env_var))
        elif secret.vault == PLAIN:
            message = f"`{setting.env_var}` is in a file that is not encrypted: who reads your home folder reads it"
            hint = "pip install 'pisces-agent[secrets]', then store it again"
            problems.append(SECRET_PLAIN.at("", message, hint=hint, about=setting.env_var))
        return text

    def _settle_secret(self, setting: Setting, text: str | None, scope: str) -> None:
        """Records the name before storing the secret, and removes it after the secret: none is ever unrecorded."""
        record = read_record(self.package, self._places)
        secret = StoredSecret(setting.env_var, self._folder(scope), "")
        if text is not None:
            write_record(self.package, self._places, record.with_secret(secret))
            try:
                stored = secret.replace(vault=put_secret(self._vaults(), self._account(secret), text))
            except PiscesError:
                write_record(self.package, self._places, record)
                raise
            write_record(self.package, self._places, record.with_secret(stored))
            with suppress(PiscesError):  # an older copy in another vault, which the record ignores
                self._drop(record.secret(secret.env_var, secret.folder) or secret, stored.vault)
                self._drop(secret, stored.vault)
        elif old := record.secret(secret.env_var, secret.folder):
            self._drop(old)
            write_record(self.package, self._places, record.without_secret(old))

    def _drop(self, secret: StoredSecret, but: str = "") -> None:
        meant = self._vaults_of(secret)
        if not meant:
            raise self._no_vault(secret)
        for vault in meant:
            if vault.id != but:
                vault.drop(self._account(secret))

    def _no_vault(self, secret: StoredSecret) -> PiscesError:
        message = f"`{self._account(secret)}` lies in a vault that does not work here"
        return PiscesError(SECRET_UNREACHABLE.at("", message, about=secret.env_var))

    def _account(self, secret: StoredSecret) -> str:
        return f"{self.package}/{secret.env_var}" + (f"@{secret.folder}" if secret.folder else "")

    def _vaults(self) -> Sequence[Vault]:
        if self._vault_cache is None:
            self._vault_cache = self._open_vaults(self._places)
        return self._vault_cache

    def _vaults_of(self, secret: StoredSecret) -> list[Vault]:
        """Where a secret may be. Plain files are read whatever is chosen for new secrets, and the other way round."""
        meant = [vault for vault in self._vaults() if secret.vault in ("", vault.id)]
        if not meant and PLAIN in (secret.vault, self._places.env.get(STORE_VARIABLE)):
            env = {**self._places.env, STORE_VARIABLE: secret.vault}
            meant = [vault for vault in self._open_vaults(self._places.replace(env=env)) if vault.id == secret.vault]
        return meant

    def _folder(self, scope: str) -> str:
        return self._here if scope == WORKSPACE else ""

    def _workspace_file(self, folder: str) -> str:
        return workspace_file(self.package, folder)

    def _path(self, scope: str) -> str:
        if scope == WORKSPACE:
            return self._workspace_file(self._here)
        return os.path.join(settings_folder(self._places), file_name(self.package) + ".env")

    def _plain(self, scope: str, problems: list[Diagnostic]) -> dict[str, str]:
        """The values in a scope's plain file; empty if there is none, it is unreadable or does not count."""
        path = self._path(scope)
        try:
            text = read_text(path)
        except Unreadable as error:
            if error.kind != MISSING:
                problems.append(SETTINGS_UNWRITABLE.at(path, f"the file {error.message}"))
            return {}
        if scope == WORKSPACE and not self._trusted and not self._is_ours(text):
            hint = "read it, then trust the folder or remove the file"
            message = "these values were not stored by you, and do not count"
            problems.append(SETTINGS_NOT_OURS.at(path, message, hint=hint))
            return {}
        return parse_env(text)

    def _changeable(self, scope: str) -> dict[str, str]:
        """As `_plain`, for a file that is about to be replaced: a problem is an error, so that nothing is lost."""
        problems: list[Diagnostic] = []
        lines = self._plain(scope, problems)
        if problems:
            raise PiscesError(problems[0].replace(severity=ERROR))
        return lines

    def _is_ours(self, text: str) -> bool:
        return self._known([]).workspaces.get(self._here) == _digest(text.encode("utf-8"))

    def _known(self, problems: list[Diagnostic]) -> StoredRecord:
        """The record for reading: a damaged one counts as empty. Writers must not use this."""
        try:
            return read_record(self.package, self._places)
        except PiscesError as error:
            problems.append(error.diagnostic)
            return StoredRecord()

    def _as_file(self, scope: str, lines: Mapping[str, str]) -> bytes:
        try:
            return env_text(lines).encode("utf-8")
        except ValueError as error:
            raise PiscesError(SETTINGS_UNWRITABLE.at(self._path(scope), str(error))) from None

    def _store_plain(self, scope: str, data: bytes) -> None:
        path = self._path(scope)
        if not data:
            remove_file(path)
        else:
            self._write_file(path, data, scope)
        record = read_record(self.package, self._places)
        if scope == WORKSPACE:
            others = {folder: digest for folder, digest in record.workspaces.items() if folder != self._here}
            record = record.replace(workspaces={**others, self._here: _digest(data)} if data else others)
        write_record(self.package, self._places, record)

    def _write_file(self, path: str, data: bytes, scope: str) -> None:
        folder = os.path.dirname(path)
        try:
            os.makedirs(folder, 0o700, exist_ok=True)
            if scope == WORKSPACE and not stays_inside(folder, self._here):
                raise PiscesError(SETTINGS_UNWRITABLE.at(path, "the folder leads out of the workspace"))
            write_atomically(path, data, 0o600)
        except OSError as error:
            raise PiscesError(disk_fault(error, path, SETTINGS_UNWRITABLE)) from None


@contextmanager
def renamed_values(old: str, new: str, places: Places, report: Callable[[str], None]) -> Iterator[None]:
    """For the change that gives a package another name: its values have the new name before, and only that after."""
    if old == new:
        yield
        return
    values = Values(new, places)
    try:
        values.carry_from(Values(old, places))
        yield
    except (OSError, PiscesError):
        values.forget()
        raise
    for problem in Values(old, places).forget():
        report(problem.message)


def environment(values: ReadValues) -> dict[str, str]:
    """The environment for a program of the package, with secrets. Never show it."""
    return {name: stored.text for name, stored in values.values.items()}


def own_values(
    name: str, folder: str, settings: Sequence[Setting], places: Places, *, trusted: bool = False
) -> dict[str, str]:
    """What a package's own program gets. Only the folder of the installed package gets the stored values.

    Another folder with the same name gets the defaults. `trusted` is as in `Values`.
    """
    installed = read_index(own_store(places)).get(name)
    if installed is not None and os.path.realpath(installed.folder) == os.path.realpath(folder):
        return environment(Values(name, places, trusted=trusted).read(settings))
    texts = {each.env_var: default_text(each) for each in settings}
    defaults = {variable: text for variable, text in texts.items() if text is not None}
    return {**defaults, **values_in(folder, settings, places)}


def _digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def _text_at(path: str) -> bytes:
    try:
        return read_text(path).encode("utf-8")
    except Unreadable:
        return b""

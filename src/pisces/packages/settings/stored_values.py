"""The stored values of settings, and where they are stored. Their text form never shows a secret."""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.diagnostics import Diagnostic
    from pisces.packages.settings.settings import Setting

WORKSPACE, USER, DEFAULT = "workspace", "user", "default"
HIDDEN = "***"


class StoredValue(Value):
    """One value, and its source: workspace, user or default."""

    text: str
    source: str
    sensitive: bool

    @property
    def shown(self) -> str:
        return HIDDEN if self.sensitive else self.text

    def __repr__(self) -> str:
        return f"StoredValue({self.shown!r}, {self.source!r})"


class ReadValues(Value):
    """`values` by variable. `missing` are the required settings without a value."""

    values: Mapping[str, StoredValue]
    missing: tuple[Setting, ...]
    diagnostics: tuple[Diagnostic, ...]


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

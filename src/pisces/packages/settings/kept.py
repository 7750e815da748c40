"""Values that are kept, and what is known about where. What is printed of them never shows a secret."""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.diagnostics import Diagnostic
    from pisces.packages.settings.settings import Setting

WORKSPACE, USER, DEFAULT = "workspace", "user", "default"
HIDDEN = "***"


class Kept(Value):
    """One value and where it comes from: workspace, user or default."""

    text: str
    source: str
    sensitive: bool

    @property
    def shown(self) -> str:
        return HIDDEN if self.sensitive else self.text

    def __repr__(self) -> str:
        return f"Kept({self.shown!r}, {self.source!r})"


class ReadValues(Value):
    """`values` by variable; `missing` are required and have no value anywhere."""

    values: Mapping[str, Kept]
    missing: tuple[Setting, ...]
    diagnostics: tuple[Diagnostic, ...]


class KeptSecret(Value):
    """Where a secret lies: `folder` is its workspace, empty for the user's; an empty `vault` means any of them."""

    env_var: str
    folder: str
    vault: str


class Record(Value):
    """What is stored for a package besides its plain file: the names of its secrets, and workspaces with their hash."""

    secrets: tuple[KeptSecret, ...] = ()
    workspaces: Mapping[str, str] = EMPTY

    def secret(self, env_var: str, folder: str) -> KeptSecret | None:
        return next((each for each in self.secrets if (each.env_var, each.folder) == (env_var, folder)), None)

    def with_secret(self, secret: KeptSecret) -> Record:
        return self.replace(secrets=(*self.without_secret(secret).secrets, secret))

    def without_secret(self, secret: KeptSecret) -> Record:
        place = (secret.env_var, secret.folder)
        return self.replace(secrets=tuple(each for each in self.secrets if (each.env_var, each.folder) != place))

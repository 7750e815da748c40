"""The values of settings, and the rows that show them. Their text form never contains a secret."""

from __future__ import annotations

from pisces.packages.settings.answers import stored_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.packages.settings.settings import Setting

WORKSPACE, USER, DEFAULT = "workspace", "user", "default"
HIDDEN = "***"
NOT_SET = "[not set]"


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


class SettingRow(Value):
    """`value` is safe to show. `source` is workspace, user, default or empty."""

    name: str
    env_var: str
    value: str
    source: str
    type: str
    required: bool
    sensitive: bool
    description: str
    limits: str

    def as_json(self) -> dict[str, object]:
        fields: dict[str, object] = dict(zip(self.__fields__, self.as_tuple(), strict=True))
        return {**fields, "value": self.value if self.source else None}


def describe(settings: Sequence[Setting], values: ReadValues) -> list[SettingRow]:
    return [_row(setting, values.values.get(setting.env_var)) for setting in settings]


def _row(setting: Setting, stored: StoredValue | None) -> SettingRow:
    same = ("name", "env_var", "type", "required", "sensitive", "description")
    fields = {field: getattr(setting, field) for field in same}
    value, source = (stored.shown, stored.source) if stored else (NOT_SET, "")
    return SettingRow(**fields, value=value, source=source, limits=_limits(setting))


def _limits(setting: Setting) -> str:
    """The valid values in a few words: `a, b or c`, `1 to 9`, `at least 1`."""
    if setting.choices:
        return ", ".join(setting.choices[:-1]) + (" or " if setting.choices[1:] else "") + setting.choices[-1]
    low, high = (None if each is None else f"{each:g}" for each in (setting.minimum, setting.maximum))
    if low and high:
        return f"{low} to {high}"
    if low or high:
        return f"at least {low}" if low else f"at most {high}"
    return "" if setting.default is None else f"default {stored_text(setting.default)}"

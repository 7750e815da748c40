"""The settings of a package as rows to show, with secrets hidden."""

from __future__ import annotations

from pisces.packages.settings.answers import stored_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.packages.settings.settings import Setting
    from pisces.packages.settings.stored_values import ReadValues

NOT_SET = "[not set]"


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
    return [_row(setting, values) for setting in settings]


def _row(setting: Setting, values: ReadValues) -> SettingRow:
    stored = values.values.get(setting.env_var)
    return SettingRow(
        name=setting.name,
        env_var=setting.env_var,
        value=stored.shown if stored else NOT_SET,
        source=stored.source if stored else "",
        type=setting.type,
        required=setting.required,
        sensitive=setting.sensitive,
        description=setting.description,
        limits=_limits(setting),
    )


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

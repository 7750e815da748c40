"""What a package asks its user for, as one kind of value, whatever its manifest calls it.

Types, defaults, limits and `required` are read in every manifest, also for a harness that does not know them. A setting
that cannot be handed over safely is left out and reported.
"""

from __future__ import annotations

import re

from pisces.by_name import export_of, has_file
from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.harness import HARNESSES
from pisces.discovery.package_format import PackageFormat, format_named
from pisces.formats.fit import noun_of
from pisces.formats.js_truth import is_truthy
from pisces.processes.blocked_env import is_blocked
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.shapes.package import Package

TEXT, NUMBER, BOOLEAN, PATH, CHOICE = "text", "number", "boolean", "path", "choice"

PACKAGE_SETTING = Rule("package-setting", ERROR, "A setting of a package is left out")
PACKAGE_SETTING_FIELD = Rule("package-setting-field", WARNING, "A setting says something that is not understood")

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TYPES = {
    **dict.fromkeys(("string", "text"), TEXT),
    **dict.fromkeys(("number", "integer", "float"), NUMBER),
    **dict.fromkeys(("boolean", "bool"), BOOLEAN),
    **dict.fromkeys(("path", "file", "directory"), PATH),
    **dict.fromkeys(("choice", "enum", "select"), CHOICE),
}


class Setting(Value):
    """`env_var` has the value. `key` is its name in the manifest's texts. `multiple` allows a list of words."""

    name: str
    env_var: str
    description: str = ""
    sensitive: bool = False
    type: str = TEXT
    default: object = None
    required: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    multiple: bool = False
    key: str = ""


def settings_of(package: Package) -> tuple[list[Setting], list[Diagnostic]]:
    """The settings in the manifest's order, and diagnostics for what is left out or ignored."""
    settings: list[Setting] = []
    problems: list[Diagnostic] = []
    package_format = format_named(package.format)
    path = package_format.manifest_path(package.path)
    for wanted in _wanted(package, package_format):
        name = str(wanted["name"])
        flaw = _flaw(wanted["env_var"], settings)
        if flaw:
            problems.append(PACKAGE_SETTING.at(path, flaw, about=name))
            continue
        setting, odd = _understood(wanted)
        settings.append(setting)
        problems += [PACKAGE_SETTING_FIELD.at(path, f"`{name}`: {each}", about=name) for each in odd]
    return settings, problems


def _wanted(package: Package, package_format: PackageFormat) -> Iterator[dict[str, Any]]:
    """Each setting as found, with `name`, `key` and `env_var`: as the format's harness says, else a plain list."""
    folder = f"{HARNESSES}.{package_format.harness.replace('-', '_')}"
    if not has_file(folder, "package_settings"):
        return listed_settings(package.manifest)
    declared: Iterator[dict[str, Any]] = export_of(folder, "package_settings", "declared")(package)
    return declared


def listed_settings(manifest: object) -> Iterator[dict[str, Any]]:
    """The list under `settings` in a manifest."""
    listed = manifest.get("settings") if isinstance(manifest, dict) else None
    for found in listed if isinstance(listed, list) else ():
        if isinstance(found, dict):
            variable = found.get("envVar")
            yield {**found, "name": found.get("name") or variable or "setting", "key": variable, "env_var": variable}


def _flaw(variable: object, before: list[Setting]) -> str:
    if not isinstance(variable, str) or not variable:
        return "the setting has no `envVar`"
    if not _VARIABLE.fullmatch(variable):
        return f"`{variable}` cannot be a variable"
    if is_blocked(variable):
        return f"`{variable}` changes how programs start and is never set for a package"
    if any(each.env_var.upper() == variable.upper() for each in before):  # variables on Windows ignore case
        return f"another setting has the variable `{variable}`"
    return ""


def _understood(wanted: Mapping[str, Any]) -> tuple[Setting, list[str]]:
    choices, odd = _choices(wanted)
    kind = _TYPES.get(str(wanted.get("type") or "string").lower())
    if kind is None or (kind == CHOICE and not choices):
        odd.append(f"`type` {wanted['type']!r} is not known" if kind is None else "a choice needs `enum`")
        kind = TEXT
    setting = Setting(
        name=str(wanted["name"]),
        env_var=wanted["env_var"],
        description=str(wanted.get("description") or ""),
        sensitive=is_truthy(wanted.get("sensitive")),
        type=CHOICE if choices and kind == TEXT else kind,
        required=is_truthy(wanted.get("required")),
        choices=choices,
        minimum=_number(wanted, ("min", "minimum"), odd),
        maximum=_number(wanted, ("max", "maximum"), odd),
        multiple=is_truthy(wanted.get("multiple")),
        key=str(wanted["key"]),
    )
    return _with_default(setting, wanted.get("default"), odd), odd


def _with_default(setting: Setting, default: object, odd: list[str]) -> Setting:
    """A default is text, a number, a flag, or a list of words if `multiple` is set."""
    if default is None or isinstance(default, str | int | float):
        return setting.replace(default=default)
    if isinstance(default, list) and setting.multiple:
        return setting.replace(default=tuple(str(each) for each in default))
    odd.append(f"`default` cannot be {noun_of(default)}")
    return setting


def _choices(wanted: Mapping[str, Any]) -> tuple[tuple[str, ...], list[str]]:
    for key in ("enum", "choices", "options"):
        listed = wanted.get(key)
        if isinstance(listed, list) and listed and all(isinstance(each, str | int | float) for each in listed):
            return tuple(str(each) for each in listed), []
        if listed is not None:
            return (), [f"`{key}` must be a list of words"]
    return (), []


def _number(wanted: Mapping[str, Any], keys: tuple[str, ...], odd: list[str]) -> float | None:
    for key in keys:
        value = wanted.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        if value is not None:
            odd.append(f"`{key}` must be a number, not {noun_of(value)}")
    return None

"""The settings that a Gemini extension asks its user for. Gemini CLI never checks them."""

from __future__ import annotations

import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.formats.fit import noun_of
from pisces.formats.json import JsonObject
from pisces.processes.blocked_env import is_refused_by_gemini

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SETTING_FIELD = Rule("setting-field", ERROR, "A setting lacks what it needs")
SETTING_VARIABLE = Rule("setting-variable", ERROR, "A setting's variable cannot be set")
SETTING_TWICE = Rule("setting-twice", WARNING, "Two settings are the same")
SETTING_SECRET = Rule("setting-secret", WARNING, "A secret is kept in a plain file")

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_SECRET = re.compile(r"(?:^|_)(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_KEY|SECRET_KEY)$", re.I)


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest is None or not isinstance(manifest[1].get("settings"), list):
        return
    path, values = manifest
    pages = subject.pages
    seen: set[tuple[str, object]] = set()
    for index, setting in enumerate(values["settings"]):
        if isinstance(setting, dict):
            for rule, key, message, hint in (*_flaws(setting), *_repeated(setting, seen)):
                place = pages.json_place(path, ("settings", index, key))
                yield rule.at(path, message, place=place, hint=hint, about=str(setting.get("name") or ""))


def _flaws(setting: JsonObject) -> Iterator[tuple[Rule, str, str, str]]:
    for key in ("name", "description", "envVar"):
        value = setting.get(key)
        if value is None or value == "":
            yield SETTING_FIELD, key, f"a setting needs `{key}`", ""
        elif not isinstance(value, str):
            yield SETTING_FIELD, key, f"`{key}` must be text, not {noun_of(value)}", ""
    sensitive, variable = setting.get("sensitive"), setting.get("envVar")
    if sensitive is not None and not isinstance(sensitive, bool):
        yield SETTING_FIELD, "sensitive", f"`sensitive` must be true or false, not {noun_of(sensitive)}", ""
    if not isinstance(variable, str) or not variable:
        return
    if not _VARIABLE.fullmatch(variable):
        slug = re.sub(r"\W+", "_", variable).strip("_").upper()
        yield SETTING_VARIABLE, "envVar", f"`{variable}` cannot be a variable", f"write `{slug}`"
    elif is_refused_by_gemini(variable):
        yield SETTING_VARIABLE, "envVar", f"Gemini CLI refuses to set `{variable}`", ""
    elif _SECRET.search(variable) and not sensitive:
        yield SETTING_SECRET, "envVar", f"`{variable}` looks like a secret", 'add "sensitive": true'


def _repeated(setting: JsonObject, seen: set[tuple[str, object]]) -> Iterator[tuple[Rule, str, str, str]]:
    for key in ("name", "envVar"):
        value = setting.get(key)
        if isinstance(value, str) and value and (key, value) in seen:
            yield SETTING_TWICE, key, f"another setting has the same `{key}`, `{value}`", ""
        elif isinstance(value, str):
            seen.add((key, value))


LINT = Lint("the settings that a Gemini extension asks for", _find, "gemini")

"""The settings that a Gemini extension asks its user for. Gemini CLI never checks them."""

from __future__ import annotations

import re

from pisces.checking.lint import Flaw, Flaws, manifest_lint
from pisces.diagnostics import ERROR, WARNING, Rule
from pisces.formats.fit import noun_of
from pisces.formats.json import JsonObject
from pisces.processes.blocked_env import is_refused_by_gemini

SETTING_FIELD = Rule("setting-field", ERROR, "A setting lacks what it needs")
SETTING_VARIABLE = Rule("setting-variable", ERROR, "A setting's variable cannot be set")
SETTING_TWICE = Rule("setting-twice", WARNING, "Two settings are the same")
SETTING_SECRET = Rule("setting-secret", WARNING, "A secret is kept in a plain file")

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_SECRET = re.compile(r"(?:^|_)(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_KEY|SECRET_KEY)$", re.I)


def _flaws(manifest: JsonObject) -> Flaws:
    settings = manifest.get("settings")
    seen: set[tuple[str, object]] = set()
    for index, setting in enumerate(settings if isinstance(settings, list) else ()):
        if isinstance(setting, dict):
            about = str(setting.get("name") or "")
            for flaw in (*_field_flaws(setting), *_repeated(setting, seen)):
                yield flaw.replace(keys=("settings", index, *flaw.keys), about=about)


def _field_flaws(setting: JsonObject) -> Flaws:
    for key in ("name", "description", "envVar"):
        value = setting.get(key)
        if value is None or value == "":
            yield Flaw(SETTING_FIELD, (key,), f"a setting needs `{key}`")
        elif not isinstance(value, str):
            yield Flaw(SETTING_FIELD, (key,), f"`{key}` must be text, not {noun_of(value)}")
    sensitive, variable = setting.get("sensitive"), setting.get("envVar")
    if sensitive is not None and not isinstance(sensitive, bool):
        yield Flaw(SETTING_FIELD, ("sensitive",), f"`sensitive` must be true or false, not {noun_of(sensitive)}")
    if not isinstance(variable, str) or not variable:
        return
    if not _VARIABLE.fullmatch(variable):
        slug = re.sub(r"\W+", "_", variable).strip("_").upper()
        yield Flaw(SETTING_VARIABLE, ("envVar",), f"`{variable}` cannot be a variable", f"write `{slug}`")
    elif is_refused_by_gemini(variable):
        yield Flaw(SETTING_VARIABLE, ("envVar",), f"Gemini CLI refuses to set `{variable}`")
    elif _SECRET.search(variable) and not sensitive:
        yield Flaw(SETTING_SECRET, ("envVar",), f"`{variable}` looks like a secret", 'add "sensitive": true')


def _repeated(setting: JsonObject, seen: set[tuple[str, object]]) -> Flaws:
    for key in ("name", "envVar"):
        value = setting.get(key)
        if isinstance(value, str) and value and (key, value) in seen:
            yield Flaw(SETTING_TWICE, (key,), f"another setting has the same `{key}`, `{value}`")
        elif isinstance(value, str):
            seen.add((key, value))


LINT = manifest_lint("the settings that a Gemini extension asks for", _flaws, "gemini")

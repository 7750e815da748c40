"""Which of the user's variables everything that runs may see: `PISCES_PASS_ENV`, the setting `passEnv`, and `--env`.

The setting counts in the user's own `config.yml` only: a project never chooses what of the user's environment it sees.
"""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery.own_switches import own_settings
from pisces.discovery.switches import setting_texts, settings_at
from pisces.processes.blocked_env import is_never_passed_on
from pisces.processes.environment import PASS_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.places import Places

ENV_NOT_PASSED = Rule("env-not-passed", ERROR, "A variable cannot be passed on")

_KEY = "passEnv"
_NAME = re.compile(r"[A-Za-z_][\w()]*\*?", re.ASCII)


def with_passed_env(places: Places, named: Iterable[str]) -> Places:
    """The places with all names in `PISCES_PASS_ENV`, where everybody who starts a program looks for them."""
    path, syntax = own_settings(places)[0]
    asked = [(name, f"`--env {name}`", "") for name in named]
    asked += [(name, f"`{name}` in `{_KEY}`", path) for name in setting_texts(settings_at(path, syntax), _KEY)]
    in_variable = places.env.get(PASS_VARIABLE, "").replace(",", " ").split()
    asked += [(name, f"`{name}` in `{PASS_VARIABLE}`", "") for name in in_variable]
    for name, said, where in asked:
        _check(name, said, where)
    if not asked:
        return places
    return places.replace(env={**places.env, PASS_VARIABLE: " ".join(name for name, _, _ in asked)})


def _check(name: str, said: str, path: str) -> None:
    if not _NAME.fullmatch(name):
        hint = "a name such as GH_TOKEN; its value is taken from your environment and never typed"
        raise PiscesError(ENV_NOT_PASSED.at(path, f"{said} is not the name of a variable", hint=hint))
    if is_never_passed_on(name.removesuffix("*")):
        hint = "whoever sets such a variable runs code in every program that gets it"
        raise PiscesError(
            ENV_NOT_PASSED.at(path, f"{said} changes how programs start, so it is not passed on", hint=hint)
        )

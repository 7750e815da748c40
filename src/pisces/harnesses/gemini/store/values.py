"""Values of settings in Gemini CLI's own store: the plain ones are in `.env` in the extension's folder.

Secrets are in Gemini CLI's own keychain entries; only `gemini extensions config` writes them.
"""

from __future__ import annotations

import os

from pisces.atomic import write_atomically
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.files import Unreadable, read_text
from pisces.harnesses.gemini.store.layout import ENV_FILE, gemini_store
from pisces.packages.settings.answers import accepted, setting_named
from pisces.packages.settings.described import USER, ReadValues, StoredValue
from pisces.packages.settings.dotenv import env_text, parse_env
from pisces.packages.settings.records import SETTINGS_UNWRITABLE
from pisces.packages.settings.settings import Setting
from pisces.places import Places
from pisces.shapes.installed import Installed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def configure(
    installed: Installed, settings: Sequence[Setting], answers: Mapping[str, str | None]
) -> tuple[ReadValues, list[str]]:
    left = write_gemini_env(installed.folder, settings, answers) if answers else []
    notes = [f"{each.env_var} is a secret: gemini extensions config {installed.name} {each.env_var}" for each in left]
    known = {
        name: StoredValue(text, USER, sensitive=False)
        for name, text in read_gemini_env(installed.folder, settings).items()
    }
    # Whether a secret is missing, only Gemini CLI can tell.
    missing = tuple(each for each in settings if each.required and not each.sensitive and each.env_var not in known)
    return ReadValues(known, missing, ()), notes


def values_in(folder: str, settings: Sequence[Setting], places: Places) -> dict[str, str]:
    extensions = os.path.realpath(gemini_store(places).extensions)
    return read_gemini_env(folder, settings) if os.path.realpath(folder).startswith(extensions + os.sep) else {}


def read_gemini_env(folder: str, settings: Sequence[Setting]) -> dict[str, str]:
    """The declared plain values. Gemini CLI itself takes every variable in the file, also undeclared ones."""
    try:
        found = parse_env(read_text(os.path.join(folder, ENV_FILE)))
    except Unreadable:
        return {}
    return {each.env_var: found[each.env_var] for each in settings if not each.sensitive and each.env_var in found}


def write_gemini_env(folder: str, settings: Sequence[Setting], answers: Mapping[str, str | None]) -> list[Setting]:
    """Stores the plain answers; None removes a value. Returns the sensitive settings, which are not stored."""
    path = os.path.join(folder, ENV_FILE)
    lines = read_gemini_env(folder, settings)
    left = []
    for name, text in answers.items():
        setting = setting_named(settings, name)
        if setting.sensitive:
            left.append(setting)
        elif text is None:
            lines.pop(setting.env_var, None)
        else:
            lines[setting.env_var] = accepted(setting, text)
    try:
        write_atomically(path, env_text(lines).encode("utf-8"), 0o600)
    except ValueError as error:
        raise PiscesError(SETTINGS_UNWRITABLE.at(path, str(error))) from None
    except OSError as error:
        raise PiscesError(disk_fault(error, path, SETTINGS_UNWRITABLE)) from None
    return left

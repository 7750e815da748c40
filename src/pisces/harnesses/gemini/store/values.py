"""Values of settings in Gemini CLI's store: plain ones are in the extension's folder, secrets stay with Gemini CLI."""

from __future__ import annotations

import os

from pisces.harnesses.gemini.store.env_file import read_gemini_env, write_gemini_env
from pisces.harnesses.gemini.store.layout import gemini_store
from pisces.packages.settings.described import USER, ReadValues, StoredValue
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
    known = read_gemini_env(installed.folder, settings)
    return ReadValues({name: StoredValue(text, USER, sensitive=False) for name, text in known.items()}, (), ()), notes


def values_in(folder: str, settings: Sequence[Setting], places: Places) -> dict[str, str]:
    extensions = os.path.realpath(gemini_store(places).extensions)
    return read_gemini_env(folder, settings) if os.path.realpath(folder).startswith(extensions + os.sep) else {}

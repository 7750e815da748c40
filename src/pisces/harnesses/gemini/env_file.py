"""The `.env` file that Gemini CLI takes variables from in a trusted folder: the nearest one, its own folder's first."""

from __future__ import annotations

import os

from pisces.files import Unreadable, read_text
from pisces.harnesses.gemini.settings import Settings, is_on
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EXCLUDED = ("DEBUG", "DEBUG_MODE")


def with_env_file(settings: Settings, places: Places, names: Sequence[str]) -> Places:
    """The places with these variables as the file sets them. What the environment has already stays."""
    path = next(filter(os.path.exists, _candidates(settings, places)), "")
    if not path:
        return places
    excluded = settings.value("advanced", "excludedEnvVars")
    hidden = (*_EXCLUDED, *(excluded if isinstance(excluded, list) else ())) if ".gemini" not in path else ()
    found = {name: value for name, value in _assignments(path) if name in names and name not in hidden}
    return places.replace(env={**found, **places.env}) if found else places


def _candidates(settings: Settings, places: Places) -> Iterator[str]:
    ignored = is_on(settings.value("advanced", "ignoreLocalEnv"), default=False)
    folder, above = places.cwd, ""
    while folder != above:
        yield os.path.join(folder, ".gemini", ".env")
        if not ignored or folder == places.home:
            yield os.path.join(folder, ".env")
        folder, above = os.path.dirname(folder), folder
    yield os.path.join(places.home, ".gemini", ".env")
    yield os.path.join(places.home, ".env")


def _assignments(path: str) -> Iterator[tuple[str, str]]:
    try:
        lines = read_text(path).splitlines()
    except Unreadable:
        return
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            text = value.strip()
            quoted = text[:1] in ("'", '"', "`") and text[:1] in text[1:]
            yield name.strip(), text[1:].partition(text[:1])[0] if quoted else text.partition("#")[0].strip()

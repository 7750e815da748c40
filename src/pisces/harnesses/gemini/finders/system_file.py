"""A settings file of the administrator's. Gemini CLI ignores it where others than root may write to it."""

from __future__ import annotations

from pisces.discovery.found import MANAGED
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.state import OFF, State
from pisces.harnesses.gemini import SystemFile
from pisces.harnesses.gemini.system_files import is_secure, system_defaults_path, system_settings_path


def find(where: Where[SystemFile]) -> FinderResults:
    path = system_defaults_path(where.places) if where.options.defaults else system_settings_path(where.places)
    held = None
    if not is_secure(path):
        change = "let root alone own the file and the folders above it, and write to them"
        held = State(OFF, "Gemini CLI ignores it: not root alone may write there", path, 0, change, True)
    yield from passed_on(where.replace(level=MANAGED, held=held), where.options.then, path)

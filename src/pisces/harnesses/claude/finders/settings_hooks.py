"""Hooks in Claude Code's settings files: those of all files run, unless one of them says `disableAllHooks`.

Only the administrator's file can switch off the administrator's hooks.
"""

from __future__ import annotations

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.found import MANAGED
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import GroupedHooks
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.settings import settings_here, sources

HOOKS_OFF = Rule("hooks-off", NOTE, "All hooks are switched off")


def find(where: Where[WithSettings]) -> FinderResults:
    off = switched_off(where)
    if off:
        yield off
    managed_off = off is not None and any(level == MANAGED and path == off.path for level, path in sources(where))
    for level, path in sources(where):
        if off is None or (level == MANAGED and not managed_off):
            yield from passed_on(where.replace(level=level), GroupedHooks(), path)


def switched_off(where: Where[WithSettings]) -> Diagnostic | None:
    """The note that hooks are off, at the setting that says so."""
    for file in settings_here(where):
        if file.part(("disableAllHooks",)) is True:
            place = file.place("disableAllHooks")
            return HOOKS_OFF.at(file.path, "`disableAllHooks` switches off every hook", place=place)
    return None

"""Hooks in Claude Code's settings files: those of all files run, unless a switch or a mistake holds them back."""

from __future__ import annotations

from pisces.diagnostics import NOTE, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import GroupedHooks
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.hook_switches import all_off, held_in_settings
from pisces.harnesses.claude.settings import sources

HOOKS_OFF = Rule("hooks-off", NOTE, "All hooks are switched off")


def find(where: Where[WithSettings]) -> FinderResults:
    off = switched_off(where)
    if off:
        yield off
    for level, path in sources(where):
        held = held_in_settings(level, path, where)
        found = passed_on(where.replace(level=level, held=held), GroupedHooks(needs_text=True, syntax="marked"), path)
        yield from found if held is None else (each for each in found if isinstance(each, Found))


def switched_off(where: Where[WithSettings]) -> Diagnostic | None:
    """The note that hooks are off, at the setting that says so."""
    off = all_off(where)
    return HOOKS_OFF.at(off.file.path, "`disableAllHooks` switches off every hook", place=off.place) if off else None

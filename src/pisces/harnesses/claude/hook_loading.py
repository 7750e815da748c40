"""What the user says about Claude Code's hooks, and guards in its files that cannot be read.

Claude Code drops the whole file for such a guard. Here the guard blocks what it would have judged, until it is mended.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, MARKED, ConfigFile, config_at
from pisces.discovery.finders.grouped_hooks import handler_flaw
from pisces.discovery.found import PROJECT, USER, Source
from pisces.discovery.harness import Run, Where
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.hooks.unread import GuardShape, unread_in
from pisces.harnesses.claude import HARNESS, MANIFEST, WithSettings
from pisces.harnesses.claude.refusals import hook_files, plugin_refusals
from pisces.harnesses.claude.settings import settings_at, sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.gates.hooks.dialect import LoadedHook
    from pisces.places import Places
    from pisces.shapes.hook import Hook

_SHAPE = GuardShape(HARNESS.id, "PreToolUse", handler_flaw)
_OFF = "disableAllHooks"
_ADDRESSES = "allowedHttpHookUrls"


def off_by(places: Places, run: Run) -> str:
    """Who switches off all hooks: the level of a settings file. A project cannot, but it can undo what the user did."""
    found = list(settings_at(_where(places, run), _OFF))
    strongest = found[0] if found else None
    if strongest is None or strongest.value is not True:
        return ""
    return next((each.level for each in found if each.level != PROJECT and each.value is True), PROJECT)


def only_narrows(places: Places, run: Run) -> bool:
    """Whether hooks run only because the project says so: then they can refuse, and nothing else."""
    found = list(settings_at(_where(places, run), _OFF))
    own = next((each.value for each in found if each.level != PROJECT), None)
    return own is True and found[0].level == PROJECT and found[0].value is not True


def flaw_of(hook: Hook, places: Places, run: Run) -> str:
    """Why a hook cannot be used: its address is not on the list of the user or the administrator, if there is one."""
    if hook.type != "http":
        return ""
    lists = [each.value for each in settings_at(_where(places, run), _ADDRESSES) if each.level != PROJECT]
    patterns = [str(pattern) for each in lists if isinstance(each, list) for pattern in each]
    if not lists or any(wildcard_matches(pattern, hook.url) for pattern in patterns):
        return ""
    return f"{hook.url} is not in `{_ADDRESSES}`"


def unread_guards(places: Places, run: Run) -> Iterator[LoadedHook]:
    """Of the settings files."""
    for level, path in sources(_where(places, run)):
        yield from unread_in(config_at(path, MARKED, run), Source(HARNESS.id, HARNESS.label, path, level), _SHAPE)


def unread_in_package(folder: str) -> Iterator[LoadedHook]:
    run = Run()
    for path in hook_files(folder, _manifest(folder, run)):
        source = Source(HARNESS.id, HARNESS.label, path, USER)
        for each in unread_in(config_at(path, JSON, run), source, _SHAPE):
            yield each.replace(folder=folder)


def is_refused(folder: str) -> bool:
    """Whether Claude Code refuses the plugin as a whole."""
    return any(True for _ in plugin_refusals(folder, _manifest(folder, Run())))


def _manifest(folder: str, run: Run) -> dict[str, Any]:
    file = config_at(os.path.join(folder, *MANIFEST.split("/")), MARKED, run)
    return file.value if isinstance(file, ConfigFile) and isinstance(file.value, dict) else {}


def _where(places: Places, run: Run) -> Where[WithSettings]:
    return Where(HARNESS.own_places(places), run, "", HARNESS.id, HARNESS.label, options=WithSettings(""))

"""Every hook of a plugin, also those that Claude Code never runs, with the reason.

Two versions decide. Up to 2.1.197 one fault costs a file all of its hooks; 2.1.325 leaves out that entry, but refuses
the whole plugin for a broken guard. A hook that one of them does not run is not given to other programs.
"""

from __future__ import annotations

import re
import string

from pisces.converting.fate import DROPPED, NEVER_LOADED, lost
from pisces.converting.hook_tools import is_list, is_open
from pisces.converting.plugin import PluginHook, PluginRest
from pisces.discovery.finders.grouped_hooks import EVENTS
from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_tree import Alternatives, NotRegularError, Repeat, Sequence, Unit, tree
from pisces.harnesses.claude.hook_shape import GUARDS, each_of, hook_flaws
from pisces.harnesses.claude.refusals import hook_files
from pisces.shapes.hook import in_seconds
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin
    from pisces.converting.reading import PackageReading
    from pisces.formats.js_regex_tree import Node
    from pisces.shapes.field import Keys

_SPEAKS = {"command": "command", "http": "url", "prompt": "prompt", "agent": "prompt", "mcp_tool": "tool"}
_OF_TOOLS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied")
# Empty since hooks read their input; `${NAME:-...}` has something else to go by.
_LEGACY = re.compile(r"\$\{?(CLAUDE_(?:TOOL_INPUT|TOOL_NAME|TOOL_OUTPUT|FILE_PATHS?|NOTIFICATION))\b(?!:-)")
_SIGNS = f"{string.ascii_letters}{string.digits}_-."  # of names of tools


class _Place(Value):
    """What a file has for each event, with the keys that lead to it; `flaw` is why none of its hooks runs."""

    path: str
    events: tuple[tuple[str, Keys, Any], ...]
    flaw: str = ""


def all_hooks(plugin: Plugin, reading: PackageReading) -> tuple[PluginHook, ...]:
    made: list[PluginHook] = []
    for place in _places(plugin, reading):
        for event, keys, groups in place.events:
            for at, group, handler in _handlers(groups, keys):
                hook = _hook(event, handler, group).replace(
                    path=reading.files.below(place.path),
                    lines=reading.items.hook_lines(place.path, at, handler, group),
                    keys=at,
                )
                made.append(hook.replace(dead=place.flaw or _own_flaw(hook)))
    return tuple(made)


def empty_files(plugin: Plugin, reading: PackageReading) -> Iterator[Fate]:
    """Files with an event that does not exist and without any hook, so that no hook can say it."""
    for place in _places(plugin, reading):
        if (
            place.flaw
            and place.events
            and not any(True for _, keys, groups in place.events for _ in _handlers(groups, keys))
        ):
            path = reading.files.below(place.path)
            about = PluginRest(path, path, {}, {"": 1}, "hooks")
            yield lost(DROPPED, NEVER_LOADED, about, place.flaw)


def _places(plugin: Plugin, reading: PackageReading) -> Iterator[_Place]:
    files, manifest = reading.files, dict(plugin.fields)
    declared = files.absolute(plugin.manifest or reading.inventory.format.manifest)
    for keys, value in each_of(manifest.get("hooks")):
        if isinstance(value, dict):
            yield _of_manifest(declared, ("hooks", *keys), value)
    for path in hook_files(files.folder, manifest):
        file = files.config(path) if files.holds(path) else None
        if file is not None:
            yield _of_file(path, file.value)


def _of_manifest(path: str, keys: Keys, value: dict[str, Any]) -> _Place:
    if isinstance(value.get("hooks"), dict):
        flaw = "hooks in a manifest stand without a `hooks` around them, so that none of these is read"
        return _Place(path, _events(value["hooks"], (*keys, "hooks")), flaw)
    return _Place(path, _events(value, keys), _flaw(value))


def _of_file(path: str, value: Any) -> _Place:
    if isinstance(value, dict) and "hooks" in value:
        return _Place(path, _events(value["hooks"], ("hooks",)), _flaw(value["hooks"]))
    if isinstance(value, dict):
        flaw = "its file has no `hooks` around its events, so that none of them is read"
        return _Place(path, _events({key: each for key, each in value.items() if isinstance(each, list)}, ()), flaw)
    return _Place(path, _events(value, ()), _flaw(value))


def _events(value: Any, keys: Keys) -> tuple[tuple[str, Keys, Any], ...]:
    """In a list, each entry may name its event."""
    if isinstance(value, list):
        named = [(str(each.get("event") or ""), each) if isinstance(each, dict) else ("", each) for each in value]
        return tuple((event, (*keys, index), each) for index, (event, each) in enumerate(named))
    return tuple((event, (*keys, event), groups) for event, groups in value.items()) if isinstance(value, dict) else ()


def _flaw(events: Any) -> str:
    unknown = [event for event in events if event not in EVENTS] if isinstance(events, dict) else []
    if unknown:
        return (
            f"its file has `{unknown[0]}`, which is no event: Claude Code up to 2.1.197 runs no hook of such a file "
            "(2.1.325 leaves out that one)"
        )
    first = next(iter(hook_flaws(events)), None)
    if first is None:
        return ""
    at = ".".join(map(str, first.keys))
    where = f" at `{at}`" if at else ""
    return f"its file has a fault{where} ({first.message}): Claude Code up to 2.1.197 runs no hook of such a file"


def _handlers(groups: Any, keys: Keys) -> Iterator[tuple[Keys, dict[str, Any], dict[str, Any]]]:
    """Each handler with its group. An entry that is no group stands for itself."""
    for index, group in each_of(groups):
        inner = group.get("hooks") if isinstance(group, dict) else None
        if isinstance(inner, list):
            named = ((position, each) for position, each in enumerate(inner) if isinstance(each, dict))
            yield from (((*keys, *index, "hooks", position), group, each) for position, each in named)
        elif isinstance(group, dict):
            yield (*keys, *index), {}, group


def _hook(event: str, handler: dict[str, Any], group: dict[str, Any]) -> PluginHook:
    kind = str(handler.get("type") or "command")
    return PluginHook(
        event or "hook",
        "",
        handler,
        matcher=group.get("matcher", handler.get("matcher")),
        type=kind,
        command=str(handler.get(_SPEAKS.get(kind, "command")) or ""),
        group=group,
        seconds=in_seconds(handler.get("timeout")),
        dialect="claude",
    )


def _own_flaw(hook: PluginHook) -> str:
    legacy = _LEGACY.search(hook.command) if hook.name in GUARDS else None
    if legacy:
        return f"`{legacy[1]}` is empty since hooks get their input on stdin, so that it never denies"
    if hook.name in _OF_TOOLS and _never_fits(hook.matcher):
        return f"its matcher `{hook.matcher}` is compared with the name of a tool, and fits none"
    if not hook.command:
        return "it has nothing to run"
    return ""


def _never_fits(matcher: Any) -> bool:
    """An expression that JavaScript refuses, or that needs a sign which no name of a tool has."""
    if not isinstance(matcher, str) or is_open(matcher) or is_list(matcher):
        return False
    if regex_flaw(matcher):
        return True
    try:
        return not _may_fit(tree(matcher))
    except NotRegularError:
        return False


def _may_fit(node: Node) -> bool:
    """Whether some text of signs that names have fits. What takes no text is not looked at."""
    if isinstance(node, Unit):
        return any(start <= ord(sign) <= end for start, end in node.ranges for sign in _SIGNS)
    if isinstance(node, Sequence):
        return all(map(_may_fit, node.parts))
    if isinstance(node, Alternatives):
        return any(map(_may_fit, node.parts))
    return not isinstance(node, Repeat) or node.least == 0 or _may_fit(node.part)

"""Every hook of a plugin, also those that Claude Code never runs, with the reason.

Claude Code 2.1.325 decides, entry by entry: an event that does not exist, a group or a handler with a fault is left
out, and the rest of the file runs. A broken guard costs the whole plugin.
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
_GROUP, _HANDLER = 2, 4  # keys that lead to a group of an event, and to a handler of a group
_SIGNS = f"{string.ascii_letters}{string.digits}_-."  # of names of tools


class _Place(Value):
    """What a file has for each event, with the keys that lead to it; `flaw` is why none of its hooks runs.

    `flaws` are places in it with the reason why nothing at them runs.
    """

    path: str
    events: tuple[tuple[str, Keys, Any], ...]
    flaw: str = ""
    flaws: tuple[tuple[Keys, str], ...] = ()

    def why_dead(self, keys: Keys) -> str:
        return self.flaw or next((why for at, why in self.flaws if keys[: len(at)] == at), "")


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
                made.append(hook.replace(dead=place.why_dead(at) or _own_flaw(hook)))
    return tuple(made)


def empty_files(plugin: Plugin, reading: PackageReading) -> Iterator[Fate]:
    """Files with a fault and without any hook, so that no hook can say it."""
    for place in _places(plugin, reading):
        why = place.flaw or next((why for _, why in place.flaws), "")
        if why and place.events and not any(list(_handlers(groups, keys)) for _, keys, groups in place.events):
            path = reading.files.below(place.path)
            yield lost(DROPPED, NEVER_LOADED, PluginRest(path, path, {}, {"": 1}, "hooks"), why)


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
    return _place(path, value, keys)


def _of_file(path: str, value: Any) -> _Place:
    if isinstance(value, dict) and "hooks" in value:
        return _place(path, value["hooks"], ("hooks",))
    if isinstance(value, dict):
        flaw = "its file has no `hooks` around its events, so that none of them is read"
        return _Place(path, _events({key: each for key, each in value.items() if isinstance(each, list)}, ()), flaw)
    return _place(path, value, ())


def _events(value: Any, keys: Keys) -> tuple[tuple[str, Keys, Any], ...]:
    """In a list, each entry may name its event."""
    if isinstance(value, list):
        named = [(str(each.get("event") or ""), each) if isinstance(each, dict) else ("", each) for each in value]
        return tuple((event, (*keys, index), each) for index, (event, each) in enumerate(named))
    return tuple((event, (*keys, event), groups) for event, groups in value.items()) if isinstance(value, dict) else ()


def _place(path: str, events: Any, keys: Keys) -> _Place:
    """Of an object of events: what is wrong with all of it, or with places in it."""
    flaws = [(flaw.keys, flaw.message) for flaw in hook_flaws(events)]
    whole = next((message for at, message in flaws if not at), "")
    if whole:
        return _Place(path, _events(events, keys), f"{whole}, so that none of these hooks is read")
    unknown = [event for event in events if event not in EVENTS]
    dead: list[tuple[Keys, str]] = [
        ((event,), f"`{event}` is no event of Claude Code, which leaves it out") for event in unknown
    ]
    dead += [
        (_entry(at), f"Claude Code leaves it out: {message} (`{'.'.join(map(str, at))}`)") for at, message in flaws
    ]
    return _Place(path, _events(events, keys), "", tuple(((*keys, *at), why) for at, why in dead))


def _entry(keys: Keys) -> Keys:
    """The handler or the group that a fault is in: its siblings run."""
    return keys[:_HANDLER] if keys[_GROUP : _GROUP + 1] == ("hooks",) else keys[:_GROUP]


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

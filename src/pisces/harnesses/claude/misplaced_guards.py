"""Guards at the wrong place: hooks of PreToolUse and PermissionRequest that Claude Code sees but cannot load.

One of them may be what protects the rest, so Claude Code refuses everything that it came with: the settings file or
the plugin. It looks three levels deep, for a guard event or for what looks like a group of hooks outside of an event.
"""

from __future__ import annotations

from pisces.discovery.finders.grouped_hooks import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from typing import Any

    from pisces.shapes.field import Keys

_GUARDS = ("PreToolUse", "PermissionRequest")
_LEVELS = 3
# Keys below which Claude Code does not look.
IN_SETTINGS = frozenset(
    """
    mcpServers managedMcpServers lspServers pluginConfigs enabledPlugins extraKnownMarketplaces env skillOverrides
    modelSettings
    """.split()
)
IN_MANIFESTS = frozenset(("metadata", "mcpServers", "lspServers", "experimental"))
NOWHERE: frozenset[str] = frozenset()


def outside_hooks(values: dict[str, Any], skipped: AbstractSet[str]) -> tuple[Keys, str] | None:
    """A guard beside `hooks` in a settings file, a manifest or a file of hooks."""
    for key, value in values.items():
        if key in _GUARDS and value not in (None, []):
            return (key,), f"`{key}` stands outside of `hooks`"
        if key != "hooks" and key not in skipped and _hides(value, _LEVELS, skipped, groups=key not in EVENTS):
            return (key,), f"`{key}` holds hooks of PreToolUse or PermissionRequest outside of `hooks`"
    return None


def inside_hooks(events: Any) -> tuple[Keys, str] | None:
    """A guard in an object of events that is not where its event belongs."""
    if _is_group(events) or (isinstance(events, list) and any(map(_is_group, events))):
        return (), "`hooks` must be an object of events, not a group of hooks"
    for event, value in events.items() if isinstance(events, dict) else ():
        groups = event not in EVENTS and not isinstance(value, list)
        for index, each in enumerate(value) if event in EVENTS and isinstance(value, list) else [(None, value)]:
            if _hides(each, _LEVELS, NOWHERE, groups=groups):
                keys = (event,) if index is None else (event, index)
                return keys, f"`{event}` holds hooks of PreToolUse or PermissionRequest at the wrong place"
    return None


def _hides(value: Any, levels: int, skipped: AbstractSet[str], *, groups: bool, listed: bool = False) -> bool:
    """Whether guards are somewhere in a value. `listed`: it stands in a list `hooks`, where it may be a hook."""
    if isinstance(value, dict) and any(value.get(guard) not in (None, []) for guard in _GUARDS):
        return True
    if groups and _is_group(value):
        return True
    if levels == 0 or not isinstance(value, dict | list):
        return False
    if isinstance(value, list):
        return any(_hides(each, levels - 1, skipped, groups=groups, listed=listed) for each in value)
    if listed and isinstance(value.get("type"), str):
        return False
    return any(
        _hides(
            each,
            levels - 1,
            skipped,
            groups=groups and key not in EVENTS,
            listed=key == "hooks" and isinstance(each, list),
        )
        for key, each in value.items()
        if key not in skipped
    )


def _is_group(value: Any) -> bool:
    if not isinstance(value, dict) or ("matcher" not in value and any(key in EVENTS for key in value)):
        return False
    hooks = value.get("hooks")
    if isinstance(hooks, list):
        return bool(hooks)
    return isinstance(hooks, dict) and ("matcher" in value or isinstance(hooks.get("type"), str))

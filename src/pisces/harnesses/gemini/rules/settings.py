"""Rules that the settings of Gemini CLI stand for: servers and tools that are excluded, allowed, trusted, confirmed.

What a file narrows counts from every settings file, trusted or not. What it allows counts only where the user or the
administrator says it: a workspace can take a permission away, never give one.
"""

from __future__ import annotations

import re

from pisces.formats.js_truth import is_truthy
from pisces.formats.visible import visible
from pisces.harnesses.gemini.rules.call import AUTO_EDIT, DEFAULT, YOLO
from pisces.harnesses.gemini.rules.rule import PASS, SHELL, SHELL_NAMES, CompiledRule, prefix_pattern
from pisces.harnesses.gemini.settings import WORKSPACE, scopes_of
from pisces.harnesses.gemini.trust import ground_of
from pisces.shapes.verdict import ALLOW, ASK, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.harness import Run
    from pisces.harnesses.gemini.settings import SettingsScope
    from pisces.places import Places

_TIER = 4
_EXCLUDED_SERVERS, _EXCLUDED, _CONFIRMED = _TIER + 0.9, _TIER + 0.4, _TIER + 0.35
_ALLOWED, _CORE, _TRUSTED, _ALLOWED_SERVERS = _TIER + 0.3, _TIER + 0.25, _TIER + 0.2, _TIER + 0.1
_BELOW = 0.01
_ACTING = frozenset((DEFAULT, AUTO_EDIT, YOLO))
_WITH_ARGUMENTS = re.compile(r"([a-zA-Z0-9_-]+)\((.*)\)", re.DOTALL)


def rules_of_settings(places: Places, run: Run) -> Iterator[CompiledRule]:
    every = scopes_of(places, run)
    for scope in every:
        yield from _narrowing(scope, places)
    counted = [scope for scope in ground_of(places, run).settings.scopes if scope.name != WORKSPACE]
    projects = [scope for scope in every if scope.name == WORKSPACE]
    yield from _widening(counted, projects, places)


def excluding_rules(names: object, priority: float, who: str) -> Iterator[CompiledRule]:
    """`excludeTools` of a package and of the settings: `NAME`, or `run_shell_command(rm -rf)`."""
    for name in names if isinstance(names, list) else [names]:
        if not isinstance(name, str) or not name:
            continue
        found = _WITH_ARGUMENTS.fullmatch(name.strip())
        tool = found[1] if found else name.strip()
        pattern = prefix_pattern(found[2].strip().removesuffix(":*")) if found and found[2].strip("*: ") else None
        yield CompiledRule(_shell_name(tool), DENY, priority, who, pattern=pattern)


def _narrowing(scope: SettingsScope, places: Places) -> Iterator[CompiledRule]:
    for _, server, who in _entries(scope, places, "mcp", "excluded"):
        yield CompiledRule(_of_server(server), DENY, _EXCLUDED_SERVERS, who, server=server)
    for keys in (("tools", "exclude"), ("excludeTools",)):
        for _, name, who in _entries(scope, places, *keys):
            yield from excluding_rules([name], _EXCLUDED, who)
    for _, name, who in _entries(scope, places, "tools", "confirmationRequired"):
        yield CompiledRule(_shell_name(name), ASK, _CONFIRMED, who)


def _widening(scopes: list[SettingsScope], projects: list[SettingsScope], places: Places) -> Iterator[CompiledRule]:
    for keys, priority, modes in (
        (("tools", "allowed"), _ALLOWED, frozenset[str]()),
        (("tools", "core"), _CORE, _ACTING),
    ):
        yield from _listed_tools(_last(scopes, *keys), _last(projects, *keys), places, (keys, priority, modes))
    project = _last(projects, "mcp", "allowed")
    taken = project.part("mcp", "allowed") if project else None
    allowed = _last(scopes, "mcp", "allowed")
    for _, server, who in _entries(allowed, places, "mcp", "allowed") if allowed else ():
        if not isinstance(taken, list) or server in taken:
            yield CompiledRule(_of_server(server), ALLOW, _ALLOWED_SERVERS, who, server=server, modes=_ACTING)
    for scope in scopes:
        servers = scope.part("mcpServers")
        for name, server in servers.items() if isinstance(servers, dict) else ():
            is_replaced = any(name in (other.part("mcpServers") or {}) for other in projects)
            if isinstance(server, dict) and is_truthy(server.get("trust")) and not is_replaced:
                who = _who(scope, places, f"mcpServers.{name}.trust", "mcpServers", name)
                yield CompiledRule(f"mcp_{name}_*", ALLOW, _TRUSTED, who, server=name, modes=_ACTING)


def _listed_tools(
    own: SettingsScope | None,
    project: SettingsScope | None,
    places: Places,
    setting: tuple[tuple[str, str], float, frozenset[str]],
) -> Iterator[CompiledRule]:
    """`tools.allowed` and `tools.core`. A project's list replaces the user's, and allows only what is in both."""
    keys, priority, modes = setting
    counted = project or own
    if counted is None:
        return
    granted = own.part(*keys) if own else None
    group = f"{counted.path}:{keys[1]}"
    narrowed: dict[str, str] = {}
    is_core = keys[1] == "core"
    for _, name, who in _entries(counted, places, *keys):
        decision = ALLOW if project is None or (isinstance(granted, list) and name in granted) else PASS
        found = _WITH_ARGUMENTS.fullmatch(name)
        tool = _shell_name(found[1] if found else name)
        pattern = prefix_pattern(found[2]) if found and tool == SHELL and found[2] else None
        if found and tool == SHELL:
            narrowed[tool] = who
            if pattern is None:
                continue
        yield CompiledRule(
            tool, decision, priority, who, pattern=pattern, modes=modes, group=group if decision == PASS else ""
        )
    if is_core:
        who = _who(counted, places, "tools.core has no other tools", *keys)
        yield CompiledRule("*", DENY, priority - _BELOW, who, modes=modes, group=group)
    else:
        for tool, who in narrowed.items():
            yield CompiledRule(tool, DENY, priority - _BELOW, f"{who} and no other command", group=group)


def _entries(scope: SettingsScope, places: Places, *keys: str) -> Iterator[tuple[int, str, str]]:
    listed = scope.part(*keys)
    for index, entry in enumerate(listed if isinstance(listed, list) else [listed]):
        if isinstance(entry, str) and entry:
            yield index, entry, _who(scope, places, f"{'.'.join(keys)} {entry}", *keys, index)


def _who(scope: SettingsScope, places: Places, text: str, *keys: str | int) -> str:
    return visible(f"{places.shown(scope.path)}:{scope.line_of(*keys)} {text}")


def _last(scopes: list[SettingsScope], *keys: str) -> SettingsScope | None:
    return next((scope for scope in reversed(scopes) if isinstance(scope.part(*keys), list)), None)


def _of_server(server: str) -> str:
    return "mcp_*" if server == "*" else f"mcp_{server}_*"


def _shell_name(tool: str) -> str:
    return SHELL if tool in SHELL_NAMES else tool

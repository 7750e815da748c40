"""Why Claude Code does not load a skill, a command, a subagent or a context file that it finds.

The state is that of a session in a folder that is trusted, or of `claude -p`, which does not ask: then trust decides
only about what `trust` names. Packages, hooks and servers get their state where they are found.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.conditions import BY_NAME_ALONE, WHEN_NAMED
from pisces.discovery.config_file import MARKED, config_at
from pisces.discovery.found import MANAGED, Found
from pisces.discovery.harness import Where
from pisces.discovery.state import ACTIVE, OFF, REFUSED, Scene, State
from pisces.files import Unreadable, read_text
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.folders import state_file
from pisces.harnesses.claude.locked import locked
from pisces.harnesses.claude.settings import listed, setting, settings_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.state import StateOf

_SURFACES = {"skills": "skills", "commands": "skills", "subagents": "agents"}
# The tools by which the model uses them: denying the tool, or the tool with a name, keeps the model from it.
_TOOLS = {"skills": ("Skill",), "subagents": ("Agent", "Task")}
_LISTED = {"user-invocable-only": WHEN_NAMED, "name-only": BY_NAME_ALONE}


def states(scene: Scene) -> StateOf:
    where = Where(scene.places, scene.run, "", scene.harness.id, scene.harness.label, options=WithSettings(""))
    broken: State | None = scene.run.once(("claude-broken",), lambda: _broken(where))
    return lambda kind, found: broken or state_of(kind, found, where)


def _broken(where: Where[WithSettings]) -> State | None:
    """The program does not start where its own file is no JSON. An empty one is written anew."""
    file = config_at(state_file(where.places), MARKED, where.run)
    if not isinstance(file, Diagnostic) or is_blank(file.path):
        return None
    reason = f"Claude Code does not start: {file.message}"
    return State(REFUSED, reason, file.path, file.line, "mend that file, or remove it", only_here=True)


def is_blank(path: str) -> bool:
    """Whether there is no text in a file, or none that can be read."""
    try:
        return not read_text(path).strip()
    except Unreadable:
        return True


def state_of(kind: str, found: Found, where: Where[WithSettings]) -> State | None:
    if kind == "context-files":
        return _excluded(found, where) or _without_text(found)
    if kind not in _SURFACES:
        return None
    name = getattr(found.item, "final_name", "") or found.item.name
    held = None
    if not found.package:
        managed = found.source.level == MANAGED and kind != "commands"  # those of the administrator are locked as well
        held = None if managed else locked(_SURFACES[kind], where)
        held = held or (_overridden(name, where) if kind != "subagents" else None)
    return held if held and held.name != ACTIVE else _denied(kind, name, where) or held


def _overridden(name: str, where: Where[WithSettings]) -> State | None:
    found = setting(where, "skillOverrides", name)
    if found is None or found.value != "off":
        return _LISTED.get(str(found.value)) if found else None
    return found.replace(depth=1).state(OFF, "{key} says `off`", "remove it from {key}")


def _denied(kind: str, name: str, where: Where[WithSettings]) -> State | None:
    rules = listed(where, "permissions", "deny") if kind in _TOOLS else {}
    only_managed = setting(where, "allowManagedPermissionRulesOnly", managed=True) if rules else None
    for tool in _TOOLS.get(kind, ()):
        for rule in (tool, f"{tool}(*)", f"{tool}({name})"):
            found = rules.get(rule)
            if found and (found.level == MANAGED or not (only_managed and only_managed.value is True)):
                reason = f"{{key}} denies `{rule}` to the model"
                return found.replace(depth=2).state(OFF, reason, f"remove `{rule}` from {{key}}")
    return None


def _excluded(found: Found, where: Where[WithSettings]) -> State | None:
    if found.source.level == MANAGED:
        return None
    for each in settings_at(where, "claudeMdExcludes"):
        for index, pattern in enumerate(each.value if isinstance(each.value, list) else ()):
            if _fits(str(pattern), found.source.path):
                place = each.replace(keys=(*each.keys, index))
                return place.state(OFF, f"`{pattern}` in {{key}} leaves it out", "remove it from {key}")
    return None


def _without_text(found: Found) -> State | None:
    path = found.source.path
    return State(OFF, "there is no text in it", path, 0, "write something there", True) if is_blank(path) else None


def _fits(pattern: str, path: str) -> bool:
    fits: bool = export_of("pisces.harnesses.claude", "excludes", "fits")(pattern, path)
    return fits

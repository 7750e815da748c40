"""OpenCode's switches (1.18.33): `disable` of agents, `permission.skill`, variables; it knows no folder trust.

Configuration files are merged, so what the strongest file that says anything says holds for the agent of that name
everywhere. A file that is not valid stops the program.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import LENIENT, ConfigFile, config_at
from pisces.discovery.state import OFF, REFUSED, State, switched
from pisces.formats.wildcard import wildcard_matches
from pisces.harnesses.opencode.finders.places import config_places, user_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.discovery.state import Scene, StateOf
    from pisces.places import Places

_ON = ("1", "true")
_NO_CLAUDE = ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")
_NO_OTHERS = "OPENCODE_DISABLE_EXTERNAL_SKILLS"
_NO_PLUGINS = "OPENCODE_PURE"


def states(scene: Scene) -> StateOf:
    paths = [path for _, path in config_places(scene.places) if path.endswith((".json", ".jsonc"))]
    read = [config_at(path, LENIENT, scene.run) for path in paths]
    files = [file for file in read if isinstance(file, ConfigFile) and isinstance(file.value, dict)]
    broken = next((file for file in read if isinstance(file, Diagnostic)), None)

    def state_of(kind: str, found: Found) -> State | None:
        if broken:
            reason = f"OpenCode does not start: {broken.message}"
            return State(REFUSED, reason, broken.path, broken.line, "mend that file", only_here=True)
        if kind == "subagents":
            return _agent(found, files)
        if kind == "skills":
            return _variable(found, scene.places) or _permission(found, files)
        if kind == "modules" and scene.places.env.get(_NO_PLUGINS) in _ON:
            return State(OFF, f"the variable {_NO_PLUGINS} is set", change="unset it")
        return None

    return state_of


def _agent(found: Found, files: list[ConfigFile]) -> State | None:
    """A file of its own says it in its header, and is merged over what configuration files say."""
    name, own = found.item.name, found.item.fields.get("disable")
    if own is True:
        return State(OFF, "its own `disable` is true", found.source.path, change="remove `disable`")
    for file in files if own is None or found.item.keys else ():
        value = file.part(("agent", name, "disable"))
        if value is True:
            keys = ("agent", name, "disable")
            return switched(OFF, f"`agent.{name}.disable` is true", file, keys, "remove `disable`")
        if value is False:
            return None
    return None


def _variable(found: Found, places: Places) -> State | None:
    path, env = found.source.path, places.env
    own = (user_folder(places), os.path.join(places.home, ".opencode"))
    if path.startswith(own) or f"{os.sep}.opencode{os.sep}" in path:
        return None
    names = [_NO_OTHERS] if f"{os.sep}.agents{os.sep}" in path else [_NO_OTHERS, *_NO_CLAUDE]
    for name in names:
        if env.get(name) in _ON:
            return State(OFF, f"the variable {name} is set", change="unset it")
    return None


def _permission(found: Found, files: list[ConfigFile]) -> State | None:
    """The last pattern that fits decides; the files are merged, and a key keeps the place of its first mention."""
    rules: dict[str, tuple[object, ConfigFile]] = {}
    for file in reversed(files):
        value = file.part(("permission", "skill"))
        for pattern, action in (value if isinstance(value, dict) else {"*": value} if value else {}).items():
            rules[pattern] = (action, file)
    decided: State | None = None
    for pattern, (action, file) in rules.items():
        if wildcard_matches(str(pattern), found.item.name):
            keys = ("permission", "skill", pattern)
            denied = switched(OFF, f"`permission.skill` denies `{pattern}`", file, keys, "allow it there")
            decided = denied if action == "deny" else None
    return decided

"""OpenCode's switches (1.18.33): `disable` of agents, `permission.skill`, variables; it knows no folder trust.

Configuration files are merged, so what the strongest file that says anything says holds for the agent of that name
everywhere. A value that it does not take, in a file or in a header, stops the program.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import LENIENT, ConfigFile, config_at
from pisces.discovery.found import Found
from pisces.discovery.harness import search
from pisces.discovery.state import OFF, REFUSED, State, switched
from pisces.formats.fit import misfits
from pisces.formats.wildcard import wildcard_matches
from pisces.harnesses.opencode.config_shape import AGENT, COMMAND, CONFIG
from pisces.harnesses.opencode.finders.places import config_places, user_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.state import Scene, StateOf
    from pisces.formats.fit import Misfit
    from pisces.places import Places

_ON = ("1", "true")
_NO_CLAUDE = ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS")
_NO_OTHERS = "OPENCODE_DISABLE_EXTERNAL_SKILLS"
_NO_PLUGINS = "OPENCODE_PURE"


def states(scene: Scene) -> StateOf:
    paths = [path for _, path in config_places(scene.places) if path.endswith((".json", ".jsonc"))]
    read = [config_at(path, LENIENT, scene.run) for path in paths]
    files = [file for file in read if isinstance(file, ConfigFile) and isinstance(file.value, dict)]
    refused = next(_faults(read, scene), None)

    def state_of(kind: str, found: Found) -> State | None:
        if refused:
            return refused
        if kind == "subagents":
            return _agent(found, files)
        if kind == "skills":
            return _variable(found, scene.places) or _permission(found, files)
        if kind == "modules" and scene.places.env.get(_NO_PLUGINS) in _ON:
            return State(OFF, f"the variable {_NO_PLUGINS} is set", change="unset it")
        return None

    return state_of


def _faults(read: list[ConfigFile | Diagnostic | None], scene: Scene) -> Iterator[State]:
    """Why OpenCode does not start: every file that it reads is checked, and headers like the same part of a file."""
    for file in read:
        if isinstance(file, Diagnostic):
            yield _fault(file.path, file.line, file.message)
        elif file is not None:
            misfit = next(misfits(file.value, CONFIG), None)
            yield from (_fault(file.path, file.place(*misfit.path)[0], _about(misfit)),) if misfit else ()
    for kind, shape in (("subagents", AGENT), ("commands", COMMAND)):
        results = search(scene.harness, kind, scene.places, scene.run)
        files = [found for found in results if isinstance(found, Found) and not found.item.keys]
        wrong = ((found.source.path, misfit) for found in files for misfit in misfits(dict(found.item.fields), shape))
        yield from (_fault(path, 0, _about(misfit)) for path, misfit in wrong)


def _about(misfit: Misfit) -> str:
    return f"`{'.'.join(map(str, misfit.path))}` {misfit.message}" if misfit.path else misfit.message


def _fault(path: str, line: int, message: str) -> State:
    return State(REFUSED, f"OpenCode does not start: {message}", path, line, "mend that file", only_here=True)


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

"""Folder trust as Gemini CLI decides it: the environment, then the setting, then the longest rule that fits.

`security.folderTrust.enabled` is on by default, so that a folder nobody has answered for is not trusted.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSONC, ConfigFile, config_at
from pisces.discovery.state import REFUSED, UNTRUSTED, State
from pisces.harnesses.gemini.settings import WORKSPACE, Settings, is_on, scopes_of, settings_from
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Run
    from pisces.places import Places

TRUSTED_FOLDERS = "trustedFolders.json"
_LEVELS = ("TRUST_FOLDER", "TRUST_PARENT", "DO_NOT_TRUST")
_VARIABLES = ("GEMINI_RESTRICTED_MODE", "GEMINI_CLI_TRUST_WORKSPACE")
_ANSWER = "answer the trust question of Gemini CLI in this folder"


class Ground(Value):
    """What everything else stands on: the settings that count, and why the folder is not trusted, if it is not.

    `gate` is the same for commands and agents, which look at the setting too. `refusal` is why the program does not
    start at all.
    """

    settings: Settings
    untrusted: State | None
    gate: State | None
    refusal: State | None


def ground_of(places: Places, run: Run) -> Ground:
    """Read once in a run."""
    return run.once(("gemini-ground",), lambda: _ground(places, run))


def _ground(places: Places, run: Run) -> Ground:
    scopes = scopes_of(places, run)
    others = settings_from(tuple(scope for scope in scopes if scope.name != WORKSPACE))
    untrusted = _distrust(others, places, run)
    settings = others if untrusted else settings_from(scopes)
    enabled = _is_enabled(settings)
    if not untrusted:
        untrusted = _distrust(settings, places, run) or _distrust(settings, _with_env_file(settings, places), run)
    flawed = next((scope for scope in scopes if scope.flaw), None)
    refusal = untrusted if untrusted and untrusted.name == REFUSED else None
    if flawed:
        reason = f"Gemini CLI does not start: {flawed.name} cannot be read: {flawed.flaw}"
        refusal = State(REFUSED, reason, flawed.path, flawed.line, "mend the file", True)
    return Ground(settings, untrusted, untrusted if enabled else None, refusal)


def _with_env_file(settings: Settings, places: Places) -> Places:
    found: Places = export_of("pisces.harnesses.gemini", "env_file", "with_env_file")(settings, places, _VARIABLES)
    return found


def _is_enabled(settings: Settings) -> bool:
    return is_on(settings.value("security", "folderTrust", "enabled"), default=True)


def _distrust(settings: Settings, places: Places, run: Run) -> State | None:
    """Why the folder is not trusted; None if it is."""
    for variable, word in zip(_VARIABLES, ("true", "false"), strict=True):
        if places.env.get(variable) == word:
            return State(UNTRUSTED, f"the environment sets `{variable}` to `{word}`", change=f"unset `{variable}`")
    if places.env.get("GEMINI_CLI_TRUST_WORKSPACE") == "true" or not _is_enabled(settings):
        return None
    return _by_rules(_trusted_folders_path(places), places, run)


def _trusted_folders_path(places: Places) -> str:
    moved = places.env.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH", "")
    return moved or os.path.join(places.home, ".gemini", TRUSTED_FOLDERS)


def _by_rules(path: str, places: Places, run: Run) -> State | None:
    file = config_at(path, JSONC, run)
    if file is None:
        return _unanswered(path)
    if isinstance(file, Diagnostic):
        return _broken(path, file.hint or file.message, file.line)
    if not isinstance(file.value, dict):
        return _broken(path, "it is not a JSON object", 1)
    for folder, level in file.value.items():
        if level not in _LEVELS:
            return _broken(path, f"`{level}` is no trust level", file.place(folder)[0])
    return _longest_rule(file, places)


def _longest_rule(file: ConfigFile, places: Places) -> State | None:
    here, longest, rule = os.path.realpath(places.cwd), -1, ""
    for folder in file.value:
        written = os.path.normpath(os.path.join(places.cwd, folder))  # `~` is a folder like any other there
        covered = os.path.dirname(written) if file.value[folder] == "TRUST_PARENT" else written
        if len(written) > longest and _is_below(os.path.realpath(covered), here):
            longest, rule = len(written), folder
    if longest < 0:
        return _unanswered(file.path)
    if file.value[rule] != "DO_NOT_TRUST":
        return None
    change = "answer `/permissions` in Gemini CLI, or write `TRUST_FOLDER` there"
    return State(UNTRUSTED, f"`{rule}` is not to be trusted", file.path, file.place(rule)[0], change)


def _is_below(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _unanswered(path: str) -> State:
    reason = "nobody has said in Gemini CLI that this folder is to be trusted"
    return State(UNTRUSTED, reason, path, 0, _ANSWER, True)


def _broken(path: str, flaw: str, line: int) -> State:
    reason = f"Gemini CLI does not start: `{TRUSTED_FOLDERS}` cannot be used: {flaw}"
    return State(REFUSED, reason, path, line, "mend the file", True)

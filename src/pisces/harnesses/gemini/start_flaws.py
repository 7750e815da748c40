"""Settings with which Gemini CLI does not start. Most wrong values it only warns about; these it cannot use."""

from __future__ import annotations

import os

from pisces.formats.js_truth import is_truthy
from pisces.harnesses.gemini.settings import Settings, is_on
from pisces.places import Places

_MODES = ("default", "auto_edit", "plan", "yolo")


def start_flaw(settings: Settings, places: Places) -> tuple[str, str, int] | None:
    """What is wrong, and in which line of which file."""
    for key in ("hooksConfig", "tools"):
        if key in settings.merged and settings.merged[key] is None:
            return f"`{key}` is `null`", "", 0
    if null := _null_server(settings):
        return null
    mode = settings.value("general", "defaultApprovalMode")
    if is_truthy(mode) and mode not in _MODES:
        return _at(settings, ("general", "defaultApprovalMode"), f"`{mode}` is no approval mode")
    named = settings.value("context", "fileName")
    names = named if isinstance(named, list) else [named] if is_truthy(named) else []
    if not all(isinstance(name, str) for name in names):
        return _at(settings, ("context", "fileName"), "`context.fileName` must be a text or a list of texts")
    disabled = settings.value("skills", "disabled")
    if disabled is not None and not (isinstance(disabled, list) and all(isinstance(name, str) for name in disabled)):
        return _at(settings, ("skills", "disabled"), "`skills.disabled` must be a list of texts")
    for folder in included_folders(settings, places):
        if not os.path.isdir(folder):
            return _at(
                settings, ("context", "includeDirectories"), f"{folder} of `context.includeDirectories` is no folder"
            )
    return None


def _null_server(settings: Settings) -> tuple[str, str, int] | None:
    servers = settings.merged.get("mcpServers")
    for name, server in servers.items() if isinstance(servers, dict) else ():
        if server is None:
            files = (scope for scope in reversed(settings.scopes) if name in (scope.part("mcpServers") or ()))
            scope = next(files, None)
            line = scope.line_of("mcpServers", name) if scope else 0
            return f"the server `{name}` is `null`", scope.path if scope else "", line
    return None


def included_folders(settings: Settings, places: Places) -> list[str]:
    """The folders that `context.includeDirectories` adds to the workspace."""
    listed = settings.value("context", "includeDirectories")
    texts = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
    return [os.path.realpath(places.absolute(each)) for each in texts]


def plans_folder(settings: Settings, places: Places) -> list[str]:
    """A folder for plans that the settings name is part of the workspace, if it is there."""
    named = settings.value("general", "plan", "directory")
    if not isinstance(named, str) or not named or not is_on(settings.value("general", "plan", "enabled"), default=True):
        return []
    folder, root = os.path.realpath(os.path.join(places.cwd, named)), os.path.realpath(places.cwd)
    return [folder] if os.path.isdir(folder) and (folder + os.sep).startswith(root + os.sep) else []


def _at(settings: Settings, keys: tuple[str, str], message: str) -> tuple[str, str, int]:
    scope = settings.last_with(*keys)
    return message, scope.path if scope else "", scope.line_of(*keys) if scope else 0

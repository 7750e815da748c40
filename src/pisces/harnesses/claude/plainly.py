"""A quick look at what most plugins and settings have, so that a listing need not load every shape to find no flaw.

What is not plainly fine here may be fine all the same: then the shapes decide.
"""

from __future__ import annotations

from pisces.discovery.finders.grouped_hooks import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def plain_manifest(values: dict[str, Any]) -> bool:
    """Whether a manifest has only fields that are well known, in their usual shape."""
    return "name" in values and all(key in _FIELDS and _FIELDS[key](value) for key, value in values.items())


def plain_settings(values: dict[str, Any]) -> bool:
    """Whether a settings file has nothing but what most have, in its usual shape."""
    return all(key in _SETTINGS and _SETTINGS[key](value) for key, value in values.items())


def plain_hooks(events: Any) -> bool:
    """Whether every event is one, with groups of plain commands."""
    if events is None:
        return True
    return isinstance(events, dict) and all(
        event in EVENTS and isinstance(groups, list) and all(map(_group, groups)) for event, groups in events.items()
    )


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _table(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, value.values()))


def _name(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and value.isascii() and value.isprintable() and " " not in value


def _address(value: Any) -> bool:
    if not _name(value) or not value.startswith(("https://", "http://")):
        return False
    host = value.split("/")[2]
    return bool(host) and host.replace(".", "").replace("-", "").isalnum()


def _paths(suffix: str) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        paths = value if isinstance(value, list) else [value]
        return all(isinstance(each, str) and each.startswith("./") and each.endswith(suffix) for each in paths)

    return fits


def _person(value: Any) -> bool:
    return _table(value) and bool(value.get("name"))


def _servers(value: Any) -> bool:
    return isinstance(value, dict) and all(map(plain_server, value.values()))


def plain_server(value: Any) -> bool:
    """Whether it is a program with arguments, or an address with a type."""
    if not isinstance(value, dict) or not all(key in _SERVER and _SERVER[key](each) for key, each in value.items()):
        return False
    if "command" in value:
        return bool(value["command"]) and value.get("type", "stdio") == "stdio" and "url" not in value
    return "url" in value and value.get("type") in ("http", "sse")


def _group(value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= {"matcher", "hooks"}:
        return False
    hooks = value.get("hooks")
    return isinstance(value.get("matcher", ""), str) and isinstance(hooks, list) and all(map(_hook, hooks))


def _hook(value: Any) -> bool:
    if not isinstance(value, dict) or not value.keys() <= {"type", "command", "timeout"}:
        return False
    timeout = value.get("timeout", 1)
    return value.get("type") == "command" and _text(value.get("command")) and type(timeout) is int and timeout > 0


_SERVER = {"type": _text, "command": _text, "args": _texts, "env": _table, "url": _text, "headers": _table}
_FIELDS: dict[str, Callable[[Any], bool]] = {
    "name": _name,
    **dict.fromkeys(("version", "description", "license", "repository", "$schema", "displayName"), _text),
    "homepage": _address,
    "author": _person,
    "keywords": _texts,
    "commands": _paths(""),
    "skills": _paths(""),
    "agents": _paths(".md"),
    "hooks": _paths(".json"),
    "mcpServers": _servers,
    "defaultEnabled": lambda value: isinstance(value, bool),
}
_SETTINGS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("$schema", "model", "outputStyle", "language"), _text),
    "env": _table,
    "enabledPlugins": lambda value: isinstance(value, dict) and all(isinstance(each, bool) for each in value.values()),
    "hooks": plain_hooks,
}

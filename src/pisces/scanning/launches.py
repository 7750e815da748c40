"""What a configuration file starts: MCP servers and hooks, in JSON or TOML of any harness."""

from __future__ import annotations

from pisces.formats import toml_current
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place, toml_place
from pisces.scanning.page import Page
from pisces.scanning.roles import ending_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SERVER_KEYS = ("mcpServers", "mcp_servers", "servers", "mcp")
_SERVER_TOKENS = frozenset((b"mcpservers", b"mcp", b"servers"))
_COMMAND_KEYS = ("command", "bash", "powershell", "run", "windows", "linux", "osx")
_DEEPEST = 6


class ScannedServer(Value):
    """`words` is the command line of a server; `keys` lead to it in the file."""

    name: str
    config: JsonObject
    words: tuple[str, ...]
    keys: tuple[str | int, ...]


class HookCommand(Value):
    """`matcher` is None if the hook has none: it then sees everything."""

    event: str
    matcher: str | None
    command: str
    keys: tuple[str | int, ...]


def servers_of(page: Page) -> Iterator[ScannedServer]:
    if _SERVER_TOKENS.isdisjoint(page.tokens):
        return
    for keys, servers in _tables(value_of(page), _SERVER_KEYS):
        for name, config in servers.items():
            if isinstance(config, dict) and ("command" in config or address_of(config)):
                words = (*_texts(config.get("command")), *_texts(config.get("args")))
                yield ScannedServer(str(name), config, words, (*keys, name))


def hooks_of(page: Page) -> Iterator[HookCommand]:
    if b"hooks" not in page.tokens:
        return
    for keys, events in _tables(value_of(page), ("hooks",)):
        for event, entries in events.items():
            yield from _hooks_in(entries, str(event), None, (*keys, event))


def address_of(config: JsonObject) -> str:
    found = [config[key] for key in ("httpUrl", "url", "serverUrl", "tcp") if isinstance(config.get(key), str)]
    return found[0] if found else ""


def place_of(page: Page, keys: tuple[str | int, ...]) -> tuple[int, int]:
    return toml_place(page.text, keys) if ending_of(page.name) == "toml" else json_place(page.text, keys)


def value_of(page: Page) -> object:
    if page.base not in page.known.toml_configs:
        return page.json if ending_of(page.name) in ("json", "jsonc", "json5") else None
    try:
        return toml_current.parse(page.text)
    except Malformed:
        return None


def _tables(value: object, wanted: tuple[str, ...]) -> Iterator[tuple[tuple[str | int, ...], JsonObject]]:
    """Every object under one of the keys, at any depth; objects inside of one are not searched again."""
    pending: list[tuple[tuple[str | int, ...], object]] = [((), value)]
    while pending:
        keys, here = pending.pop()
        items = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, below in items:
            if key in wanted and isinstance(below, dict):
                yield (*keys, key), below
            elif isinstance(below, dict | list) and len(keys) < _DEEPEST:
                pending.append(((*keys, key), below))


def _hooks_in(entry: object, event: str, matcher: str | None, keys: tuple[str | int, ...]) -> Iterator[HookCommand]:
    """Entries nest: a list of matchers, each with a list of hooks, each with a command."""
    if isinstance(entry, list) and len(keys) < _DEEPEST * 2:
        for index, each in enumerate(entry):
            yield from _hooks_in(each, event, matcher, (*keys, index))
    if not isinstance(entry, dict):
        return
    own = entry.get("matcher")
    matcher = own if isinstance(own, str) else matcher
    for key in _COMMAND_KEYS:
        line = " ".join((*_texts(entry.get(key)), *_texts(entry.get("args"))))
        if entry.get(key) and line:
            yield HookCommand(event, matcher, line, (*keys, key))
    if "hooks" in entry:
        yield from _hooks_in(entry["hooks"], event, matcher, (*keys, "hooks"))


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()

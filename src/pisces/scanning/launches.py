"""The MCP servers and hooks that a file declares: those of the package's inventory, and all that look like one.

The inventory knows what a harness loads, from a header too. A file that is no part of a package, or that its harness
refuses today, has no acts: there every table under a usual key counts, in JSON or TOML.
"""

from __future__ import annotations

from pisces.formats import toml_current, yaml
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place, toml_place
from pisces.scanning.page import Page
from pisces.scanning.roles import ending_of
from pisces.shapes.act import HOOK, SERVER
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.act import Act

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
    """`matcher` is None if the hook has none: it then sees everything. `url` is where an HTTP hook sends the event."""

    event: str
    matcher: str | None
    command: str
    keys: tuple[str | int, ...]
    url: str = ""


def servers_of(page: Page) -> Iterator[ScannedServer]:
    """Each once: an entry of the inventory has the same keys as the table that it was read from."""
    yield from _once((*_tabled_servers(page), *_listed_servers(page)))


def hooks_of(page: Page) -> Iterator[HookCommand]:
    """Each once, as with servers."""
    yield from _once((*_tabled_hooks(page), *_listed_hooks(page)))


def line_of(act: Act, page: Page) -> str:
    """The command line of an act as a shell would be given it; empty where nothing is started."""
    argv = tuple(_in_package(word, page) for word in act.argv)
    return argv[2] if argv[:2] == ("sh", "-c") and len(argv) == 3 else joined(argv) or _in_package(act.runs, page)


def joined(words: tuple[str, ...]) -> str:
    """What has spaces in it is the text of an inner command line."""
    return " ".join(f"'{word}'" if " " in word and "'" not in word else word for word in words)


def _in_package(word: str, page: Page) -> str:
    """The inventory fills in the package's folder; a line must not be judged by where the package lies."""
    return word.replace(page.folder, "${PACKAGE}") if page.folder in word else word


def _listed_servers(page: Page) -> Iterator[ScannedServer]:
    """A server with a command and an address is two acts."""
    urls = {act.keys: act.url for act in page.acts if act.url}
    for act in page.acts:
        if act.kind == SERVER and (act.argv or act.url):
            words = tuple(_in_package(word, page) for word in act.argv)
            yield ScannedServer(act.name, {"url": urls[act.keys]} if act.keys in urls else {}, words, act.keys)


def _tabled_servers(page: Page) -> Iterator[ScannedServer]:
    if _SERVER_TOKENS.isdisjoint(page.tokens):
        return
    for keys, servers in _tables(value_of(page), _SERVER_KEYS):
        for name, config in servers.items():
            if isinstance(config, dict) and ("command" in config or address_of(config)):
                words = (*_texts(config.get("command")), *_texts(config.get("args")))
                yield ScannedServer(str(name), config, words, (*keys, name))


def _listed_hooks(page: Page) -> Iterator[HookCommand]:
    for act in page.acts:
        if act.kind == HOOK and (act.argv or act.url):
            yield HookCommand(act.name, act.matcher, line_of(act, page), act.keys, act.url)


def _tabled_hooks(page: Page) -> Iterator[HookCommand]:
    if b"hooks" not in page.tokens:
        return
    for keys, events in _tables(value_of(page), ("hooks",)):
        for event, entries in events.items():
            yield from _hooks_in(entries, str(event), None, (*keys, event))


def _once(every: tuple[Any, ...]) -> Iterator[Any]:
    seen: set[tuple[str | int, ...]] = set()
    for each in every:
        if each.keys not in seen:
            seen.add(each.keys)
            yield each


def address_of(config: JsonObject) -> str:
    found = [config[key] for key in ("httpUrl", "url", "serverUrl", "tcp") if isinstance(config.get(key), str)]
    return found[0] if found else ""


def place_of(page: Page, keys: tuple[str | int, ...]) -> tuple[int, int]:
    """In JSON, TOML, YAML or the header of a prompt; of the last part of the keys that exists."""
    ending = ending_of(page.name)
    if ending in ("json", "jsonc", "json5"):
        return json_place(page.text, keys)
    if ending == "toml":
        return toml_place(page.text, keys)
    header = page.header if ending not in ("yaml", "yml") else None
    line, column = yaml.place_of(header.header if header else page.text, keys)
    return line + (header.first_line - 1 if header else 0), column


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
    if entry.get("type") == "http" and isinstance(entry.get("url"), str):
        yield HookCommand(event, matcher, "", (*keys, "url"), entry["url"])
    if "hooks" in entry:
        yield from _hooks_in(entry["hooks"], event, matcher, (*keys, "hooks"))


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()

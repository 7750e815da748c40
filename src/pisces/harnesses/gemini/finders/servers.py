"""MCP servers as Gemini CLI 0.61 joins them: an entry of a higher settings file replaces one of that name whole.

An entry that has no command and no address adds to the server that a package brings under that name. Otherwise it
hides the entries below it and starts nothing. An entry that starts a server of its own is laid over the package's, key
by key.
"""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.finders import mcp_config
from pisces.discovery.found import MANAGED, PROJECT, USER, Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import McpConfig
from pisces.discovery.state import SHADOWED, State
from pisces.harnesses.gemini import FromPackages, settings as scopes
from pisces.harnesses.gemini.finders import packages
from pisces.harnesses.gemini.settings import SettingsScope, scopes_of
from pisces.harnesses.gemini.trust import ground_of
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_LEVELS = {scopes.USER: USER, scopes.WORKSPACE: PROJECT}
_OPTIONS = McpConfig(syntax="jsonc", switches=False)


def find(where: Where) -> FinderResults:
    brought = list(packages.find(where.given(FromPackages(), "")))
    theirs = {each.item.name: each for each in reversed(brought) if isinstance(each, Found) and not each.held}
    counted = ground_of(where.places, where.run).settings.scopes
    own = _Own(theirs, {scope.path for scope in counted})
    for scope in reversed(scopes_of(where.places, where.run)):
        yield from own.take(_entries(scope, where), scope)
    yield from own.winners_first()
    for each in brought:
        if isinstance(each, Found) and theirs.get(each.item.name) is each and each.item.name in own.fragments:
            yield _merged(each, each.item.config, own.fragments[each.item.name])
        else:
            yield each


class _Own:
    """The entries of settings files, best first, and what each becomes."""

    def __init__(self, theirs: Mapping[str, Found], counted: set[str]) -> None:
        self.theirs, self.counted = theirs, counted
        self.found: list[list[Found]] = []
        self.fragments: dict[str, Any] = {}
        self.hidden: dict[str, Diagnostic] = {}

    def take(self, entries: FinderResults, scope: SettingsScope) -> Iterator[Diagnostic]:
        taken: list[Found] = []
        for each in entries:
            if isinstance(each, Found):
                taken.append(self._settled(each))
            elif each.code != mcp_config.MCP_SERVER_ENTRY.code or scope.path not in self.counted:
                yield each
            elif each.about in self._names():
                continue  # an entry above replaces it
            elif each.about in self.theirs and isinstance(config := scope.part("mcpServers", each.about), dict):
                self.fragments[each.about] = config
            else:
                self.hidden[each.about] = each
                yield each
        self.found.append(taken)

    def _names(self) -> set[str]:
        return {each.item.name for taken in self.found for each in taken} | {*self.fragments, *self.hidden}

    def _settled(self, found: Found) -> Found:
        name = found.item.name
        if name in self.fragments or name in self.hidden:
            reason = "an entry of that name in settings that count more replaces it, and starts nothing"
            hidden = self.hidden.get(name)
            path, line = (hidden.path, hidden.line) if hidden else ("", 0)
            return found.replace(held=State(SHADOWED, reason, path, line, "remove the other entry"))
        base = self.theirs.get(name)
        if base is None or found.held:
            return found
        return _merged(found, base.item.config, found.item.config).replace(folder=base.folder, format=base.format)

    def winners_first(self) -> Iterator[Found]:
        """In the order of the merged settings, in which a name stands where the lowest file has it."""
        place: dict[str, int] = {}
        rank: dict[str, int] = {}
        ranked = []
        for each in (each for taken in self.found for each in taken):
            ranked.append((rank.get(each.item.name, 0), each))
            rank[each.item.name] = rank.get(each.item.name, 0) + 1
        for taken in reversed(self.found):
            for each in taken:
                place.setdefault(each.item.name, len(place))
        yield from (each for _, each in sorted(ranked, key=lambda pair: (pair[0], place[pair[1].item.name])))


def _entries(scope: SettingsScope, where: Where) -> FinderResults:
    here = where.replace(level=_LEVELS.get(scope.name, MANAGED)).given(_OPTIONS, scope.path)
    yield from mcp_config.find(here)
    command = scope.part("mcp", "serverCommand")
    if isinstance(command, str) and command:
        yield here.found(_of_command(command, scope.path))


def _of_command(command: str, path: str) -> McpServer:
    """The server that `mcp.serverCommand` starts, which is always called `mcp`."""
    words = [command] if '"' in command or "'" in command else command.split() or [command]
    return McpServer("mcp", {"command": words[0], "args": words[1:]}, path, ("mcp", "serverCommand"))


def _merged(found: Found[McpServer], theirs: Any, ours: Any) -> Found[McpServer]:
    """The package's entry with what the settings say about it. A list of tools can only become shorter."""
    if not isinstance(theirs, dict) or not isinstance(ours, dict):
        return found
    config = {**theirs, **ours}
    if isinstance(theirs.get("env"), dict) and isinstance(ours.get("env"), dict):
        config["env"] = {**theirs["env"], **ours["env"]}
    if isinstance(theirs.get("excludeTools"), list) and isinstance(ours.get("excludeTools"), list):
        config["excludeTools"] = list(dict.fromkeys([*theirs["excludeTools"], *ours["excludeTools"]]))
    if isinstance(theirs.get("includeTools"), list) and isinstance(ours.get("includeTools"), list):
        config["includeTools"] = [each for each in theirs["includeTools"] if each in ours["includeTools"]]
    return found.replace(item=found.item.replace(config=config))

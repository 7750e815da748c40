"""What Claude Code loses of a plugin's hooks, MCP servers and language servers, as version 2.1.325 reads them."""

from __future__ import annotations

import os

from pisces.checking.lint import Flaw, Flaws, Lint, diagnostics_of
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, Diagnostics, Rule
from pisces.discovery.finders.plugin_parts import PLUGIN_PATH
from pisces.formats.fit import misfits, noun_of
from pisces.formats.json import JsonObject
from pisces.harnesses.claude.hook_shape import each_of, hook_flaws, manifest_hook_flaws
from pisces.harnesses.claude.manifest_shape import LANGUAGE_SERVERS, server_shape, url_flaw
from pisces.harnesses.claude.refusals import hook_file_refusals, hook_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.shapes.field import Keys

FORMAT = "claude-plugin"
SERVER_FILE = ".mcp.json"
LANGUAGE_FILE = ".lsp.json"
_PATH_KEYS = ("outputStyles", "themes", "workflows")

CLAUDE_HOOKS_LOST = Rule("claude-hooks-lost", ERROR, "Hooks that Claude Code leaves out")
CLAUDE_GUARD = Rule("claude-guard", ERROR, "A guard hook for which Claude Code refuses the whole plugin")
CLAUDE_SERVER_LOST = Rule("claude-server-lost", ERROR, "An MCP server that Claude Code leaves out")
CLAUDE_LSP_LOST = Rule("claude-lsp-lost", ERROR, "A language server that Claude Code leaves out")


def _find(subject: Subject) -> Diagnostics:
    if FORMAT not in subject.formats:
        return
    manifest = subject.manifest(FORMAT)
    path, values = manifest if manifest else ("", {})
    if manifest:
        yield from diagnostics_of(_manifest_flaws(values), path, subject)
        yield from diagnostics_of(_path_flaws(values, subject.folder), path, subject)
    for file in hook_files(subject.folder, values):
        yield from _in_file(subject, file, _hook_flaws)
    for file in _files(subject, values, "mcpServers", SERVER_FILE):
        yield from _in_file(subject, file, _server_file_flaws)
    for file in _files(subject, values, "lspServers", LANGUAGE_FILE):
        yield from _in_file(subject, file, _language_flaws)


def _in_file(subject: Subject, path: str, flaws: Any) -> Diagnostics:
    values = subject.pages.json(path)
    if isinstance(values, dict):
        yield from diagnostics_of(flaws(values), path, subject)


def _files(subject: Subject, manifest: JsonObject, key: str, usual: str) -> list[str]:
    named = [each for _, each in each_of(manifest.get(key)) if isinstance(each, str) and each.endswith(".json")]
    paths = [os.path.normpath(subject.inside(name)) for name in (usual, *named)]
    return [path for path in dict.fromkeys(paths) if os.path.isfile(path)]


def _path_flaws(manifest: JsonObject, folder: str) -> Flaws:
    """Paths that no finder follows, and skills that are no folders."""
    experimental = manifest.get("experimental")
    named: list[tuple[Keys, Any]] = [((key,), manifest.get(key)) for key in (*_PATH_KEYS, "skills", "mcpServers")]
    if isinstance(experimental, dict):
        named += [(("experimental", key), experimental.get(key)) for key in _PATH_KEYS]
    for keys, value in named:
        for index, path in each_of(value):
            if isinstance(path, str) and path.startswith("./") and (message := _path_flaw(keys, path, folder)):
                yield Flaw(PLUGIN_PATH, (*keys, *index), f"`{'.'.join(map(str, keys))}`: {message}")


def _path_flaw(keys: Keys, path: str, folder: str) -> str:
    full = os.path.join(folder, path)
    if keys == ("skills",):
        return f"`{path}` must be the folder of a skill" if os.path.isfile(full) else ""
    return "" if path.endswith(".json") or os.path.lexists(full) else f"there is no `{path}`"


def _manifest_flaws(manifest: JsonObject) -> Flaws:
    for flaw in manifest_hook_flaws(manifest.get("hooks", {})):
        if not flaw.whole:
            yield Flaw(CLAUDE_HOOKS_LOST, ("hooks", *flaw.keys), flaw.message)
    for keys, servers in each_of(manifest.get("mcpServers")):
        for name, config in servers.items() if isinstance(servers, dict) else ():
            yield from _address_flaws(("mcpServers", *keys, name), config)


def _hook_flaws(values: JsonObject) -> Flaws:
    for refusal in hook_file_refusals(values):  # at the event: the finder has said what is wrong in it
        yield Flaw(CLAUDE_GUARD, refusal.keys[:2], f"the whole plugin is refused: {refusal.message}")
    modules = values.get("modules")
    if isinstance(modules, list) and len(modules) > 1:
        yield Flaw(CLAUDE_HOOKS_LOST, ("modules",), "`modules` may name one module, or no hook of this file runs")
    if "hooks" not in values:
        if not values.get("modules"):
            hint = 'write {"hooks": {...}} around the events'
            yield Flaw(CLAUDE_HOOKS_LOST, (), "there is no `hooks`, so no hook of this file runs", hint)
        return
    if not isinstance(values.get("description", ""), str):
        yield Flaw(CLAUDE_HOOKS_LOST, ("description",), "`description` must be text, or no hook of this file runs")
    for flaw in hook_flaws(values["hooks"]):
        if not flaw.whole:
            yield Flaw(CLAUDE_HOOKS_LOST, ("hooks", *flaw.keys), f"{flaw.message}, so it is left out")


def _server_file_flaws(values: JsonObject) -> Flaws:
    keys: Keys = ("mcpServers",) if "mcpServers" in values else ()
    servers = values["mcpServers"] if keys else values
    for name, config in servers.items() if isinstance(servers, dict) else ():
        yield from _server_flaws((*keys, name), config)


def _server_flaws(keys: Keys, config: Any) -> Flaws:
    name = str(keys[-1])
    if not isinstance(config, dict):
        yield Flaw(CLAUDE_SERVER_LOST, keys, f"server `{name}` must be an object, not {noun_of(config)}", about=name)
        return
    if "url" in config and not config.get("type") and not config.get("command"):
        return  # the finder reports it
    for misfit in misfits(config, server_shape(config)):
        where = f"`{'.'.join(map(str, misfit.path))}`" if misfit.path else "it"
        message = f"server `{name}`: {where} {misfit.message}, so it is left out"
        yield Flaw(CLAUDE_SERVER_LOST, (*keys, *misfit.path), message, about=name)
    yield from _address_flaws(keys, config)


def _address_flaws(keys: Keys, config: Any) -> Flaws:
    url = config.get("url") if isinstance(config, dict) and not config.get("command") else None
    if isinstance(url, str) and url and "${" not in url and url_flaw(url):
        message = f"server `{keys[-1]}`: `url` {url_flaw(url)}, so it never connects"
        yield Flaw(CLAUDE_SERVER_LOST, (*keys, "url"), message, about=str(keys[-1]))


def _language_flaws(values: JsonObject) -> Flaws:
    for misfit in misfits(values, LANGUAGE_SERVERS):
        where = f"`{'.'.join(map(str, misfit.path))}` " if not misfit.unknown else ""
        yield Flaw(CLAUDE_LSP_LOST, misfit.path, f"{where}{misfit.message}", about=str(misfit.path[0]))


LINT = Lint("hooks and servers of a Claude Code plugin", _find, FORMAT)

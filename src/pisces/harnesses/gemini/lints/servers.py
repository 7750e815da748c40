"""MCP servers as Gemini CLI connects to them: a `command`, a `url` or an `httpUrl`, and fields that it reads."""

from __future__ import annotations

from pisces.checking.lint import Flaw, Flaws, Lint, diagnostics_of, type_flaws
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.formats.fit import FLAG, NUMBER, TABLE, TEXT, Either, Listed, Mapped
from pisces.formats.json import JsonObject
from pisces.processes.blocked_env import is_refused_by_gemini

SERVER_NO_LAUNCH = Rule("server-no-launch", ERROR, "An MCP server that cannot be reached")
SERVER_TWO_LAUNCHES = Rule("server-two-launches", WARNING, "An MCP server says twice where it is")
SERVER_FIELD = Rule("server-field", ERROR, "A field of an MCP server has the wrong type")
SERVER_KEY = Rule("server-key", WARNING, "A field of an MCP server that Gemini CLI does not read")
SERVER_TRUST = Rule("server-trust", WARNING, "An extension vouches for its own server")
SERVER_NAME = Rule("server-name", NOTE, "An MCP server has `_` in its name")
SERVER_ENV = Rule("server-env", WARNING, "An MCP server sets a variable that is refused")

SHAPES = {
    **dict.fromkeys(("command", "cwd", "url", "httpUrl", "tcp", "type", "description"), TEXT),
    **dict.fromkeys(("authProviderType", "targetAudience", "targetServiceAccount"), TEXT),
    **dict.fromkeys(("args", "includeTools", "excludeTools"), Listed(TEXT)),
    **dict.fromkeys(("env", "headers"), Mapped(TEXT)),
    "timeout": NUMBER,
    "trust": FLAG,
    "oauth": TABLE,
    "extension": Either((TEXT, TABLE)),
}
_LAUNCHES = ("httpUrl", "url", "command")
_INSTEAD = {
    "program": "did you mean `command`?",
    "serverUrl": "Gemini CLI calls it `url`",
    "disabled": "remove the server, or let the user run `gemini mcp disable`",
    "transport": "`type` says `sse` or `http`",
}


def _find(subject: Subject) -> Diagnostics:
    manifest = subject.manifest("gemini")
    if manifest:
        yield from _in_file(subject, *manifest)
        return
    for path in subject.paths("mcp-servers", "gemini"):
        values = subject.pages.json(path)
        if isinstance(values, dict):
            yield from _in_file(subject, path, values)


def _in_file(subject: Subject, path: str, values: JsonObject) -> Diagnostics:
    servers = values.get("mcpServers")
    for name, config in servers.items() if isinstance(servers, dict) else ():
        if isinstance(config, dict):
            flaws = [*_launch_flaws(name, config, in_package=bool(subject.formats)), *_field_flaws(config)]
            flaws.extend(_package_flaws(name, config) if subject.formats else ())
            placed = (flaw.replace(keys=("mcpServers", name, *flaw.keys), about=name) for flaw in flaws)
            yield from diagnostics_of(placed, path, subject)


def _launch_flaws(name: str, config: JsonObject, *, in_package: bool) -> Flaws:
    given = [key for key in _LAUNCHES if config.get(key)]
    kind = config.get("type")
    if kind in ("ws", "websocket", "tcp"):
        yield Flaw(SERVER_NO_LAUNCH, ("type",), f"Gemini CLI cannot connect by `{kind}`", "use `http` or `sse`")
    elif not given and config.get("tcp"):
        yield Flaw(SERVER_NO_LAUNCH, ("tcp",), "Gemini CLI cannot connect by `tcp`", "use `url`")
    elif not given and in_package:  # the finder reports an entry of the settings, which may only add to a package's
        hint = next((_INSTEAD[key] for key in ("program", "serverUrl") if key in config), "")
        yield Flaw(SERVER_NO_LAUNCH, (), f"server `{name}` has no `command`, `url` or `httpUrl`", hint)
    if len(given) > 1:
        message = f"server `{name}` has {' and '.join(f'`{key}`' for key in given)}; `{given[0]}` counts"
        yield Flaw(SERVER_TWO_LAUNCHES, (given[1],), message)


def _field_flaws(config: JsonObject) -> Flaws:
    yield from type_flaws(SERVER_FIELD, config, SHAPES)
    for key in config:
        if key not in SHAPES:
            yield Flaw(SERVER_KEY, (key,), f"`{key}` has no effect", _INSTEAD.get(key) or did_you_mean(key, SHAPES))


def _package_flaws(name: str, config: JsonObject) -> Flaws:
    if "trust" in config:
        yield Flaw(SERVER_TRUST, ("trust",), "`trust` of an extension is dropped", "remove it")
    if "_" in name:
        hint = f"call it `{name.replace('_', '-')}`"
        yield Flaw(SERVER_NAME, (), f"policies take `{name.partition('_')[0]}` for the name of server `{name}`", hint)
    env = config.get("env")
    for variable in env if isinstance(env, dict) else ():
        if is_refused_by_gemini(variable):
            yield Flaw(SERVER_ENV, ("env", variable), f"Gemini CLI refuses to set `{variable}`")


LINT = Lint("the MCP servers of Gemini CLI", _find, "gemini")

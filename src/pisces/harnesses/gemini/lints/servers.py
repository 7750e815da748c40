"""MCP servers as Gemini CLI connects to them: a `command`, a `url` or an `httpUrl`, and fields that it reads."""

from __future__ import annotations

from pisces.checking.lint import Lint
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.formats.fit import FLAG, NUMBER, TABLE, TEXT, Either, Listed, Mapped, Record, misfits
from pisces.formats.json import JsonObject
from pisces.processes.blocked_env import is_refused_by_gemini

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Flaw = tuple[Rule, tuple[str | int, ...], str, str]

SERVER_NO_LAUNCH = Rule("server-no-launch", ERROR, "An MCP server that cannot be reached")
SERVER_TWO_LAUNCHES = Rule("server-two-launches", WARNING, "An MCP server says twice where it is")
SERVER_FIELD = Rule("server-field", ERROR, "A field of an MCP server has the wrong type")
SERVER_KEY = Rule("server-key", WARNING, "A field of an MCP server that Gemini CLI does not read")
SERVER_TRUST = Rule("server-trust", WARNING, "An extension vouches for its own server")
SERVER_NAME = Rule("server-name", NOTE, "An MCP server has `_` in its name")
SERVER_ENV = Rule("server-env", WARNING, "An MCP server sets a variable that is refused")

_TEXTS = Listed(TEXT)
_SHAPES = {
    "command": TEXT,
    "args": _TEXTS,
    "env": Mapped(TEXT),
    "cwd": TEXT,
    "url": TEXT,
    "httpUrl": TEXT,
    "headers": Mapped(TEXT),
    "tcp": TEXT,
    "type": TEXT,
    "timeout": NUMBER,
    "trust": FLAG,
    "description": TEXT,
    "includeTools": _TEXTS,
    "excludeTools": _TEXTS,
    "oauth": TABLE,
    "authProviderType": TEXT,
    "targetAudience": TEXT,
    "targetServiceAccount": TEXT,
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
    pages = subject.pages
    for name, config in servers.items() if isinstance(servers, dict) else ():
        if not isinstance(config, dict):
            continue
        flaws = [*_launch_flaws(name, config), *_field_flaws(config)]
        flaws.extend(_package_flaws(name, config) if subject.formats else ())
        for rule, keys, message, hint in flaws:
            place = pages.json_place(path, ("mcpServers", name, *keys))
            yield rule.at(path, message, place=place, hint=hint, about=name)


def _launch_flaws(name: str, config: JsonObject) -> Iterator[Flaw]:
    given = [key for key in _LAUNCHES if config.get(key)]
    kind = config.get("type")
    if kind in ("ws", "websocket", "tcp"):
        yield SERVER_NO_LAUNCH, ("type",), f"Gemini CLI cannot connect by `{kind}`", "use `http` or `sse`"
    elif not given and config.get("tcp"):
        yield SERVER_NO_LAUNCH, ("tcp",), "Gemini CLI cannot connect by `tcp`", "use `url`"
    elif not given:
        hint = next((_INSTEAD[key] for key in ("program", "serverUrl") if key in config), "")
        yield SERVER_NO_LAUNCH, (), f"server `{name}` has no `command`, `url` or `httpUrl`", hint
    if len(given) > 1:
        message = f"server `{name}` has {' and '.join(f'`{key}`' for key in given)}; `{given[0]}` counts"
        yield SERVER_TWO_LAUNCHES, (given[1],), message, ""


def _field_flaws(config: JsonObject) -> Iterator[Flaw]:
    for misfit in misfits({key: value for key, value in config.items() if value is not None}, Record({}, _SHAPES)):
        name = ".".join(str(part) for part in misfit.path)
        yield SERVER_FIELD, misfit.path, f"`{name}` {misfit.message}", ""
    for key in config:
        if key not in _SHAPES:
            yield SERVER_KEY, (key,), f"`{key}` has no effect", _INSTEAD.get(key) or did_you_mean(key, _SHAPES)


def _package_flaws(name: str, config: JsonObject) -> Iterator[Flaw]:
    if "trust" in config:
        yield SERVER_TRUST, ("trust",), "`trust` of an extension is dropped", "remove it"
    if "_" in name:
        hint = f"call it `{name.replace('_', '-')}`"
        yield SERVER_NAME, (), f"policies take `{name.partition('_')[0]}` for the name of server `{name}`", hint
    env = config.get("env")
    for variable in env if isinstance(env, dict) else ():
        if is_refused_by_gemini(variable):
            yield SERVER_ENV, ("env", variable), f"Gemini CLI refuses to set `{variable}`", ""


LINT = Lint("the MCP servers of Gemini CLI", _find, "gemini")

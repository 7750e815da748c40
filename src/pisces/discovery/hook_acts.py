"""What a hook does: its command lines on every system, or the address, tool or question that it stands for."""

from __future__ import annotations

import json

from pisces.discovery.addresses import hosts_in, variables_in
from pisces.shapes.act import HOOK, Act
from pisces.shapes.hook import Hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.shapes.command import Command
    from pisces.shapes.field import Keys
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent

# A handler may have a line for each system: a reader on one of them has to see all.
_LINES = ("command", "bash", "powershell", "commandWindows", "command_windows", "windows", "linux", "osx", "run")
_WITHOUT_LINE = ("http", "mcp_tool", "prompt", "agent", "plugin", "runtime")
_EVERYTHING = (None, "", "*")
_DEEPEST = 3


def hook_acts(hook: Hook, during: str = "") -> Iterator[Act]:
    """One act for each line that a hook may run; `during` says while what."""
    only = "" if hook.matcher in _EVERYTHING else str(hook.matcher)
    matcher = f" ({only})" if only else ""
    condition = f" if {hook.condition}" if hook.condition else ""
    when = f"on {hook.event}{matcher}{condition}" + (f", {during}" if during else "")
    made = Act(HOOK, str(hook.event), "", when, hook.path, hook.keys, matcher=only)
    if hook.type in _WITHOUT_LINE or not any(_lines(hook)):
        yield _without_line(hook, made)
        return
    env = dict.fromkeys((*map(str, hook.env), *variables_in(dict(hook.env))))
    for key, line in _lines(hook):
        words = (line, *hook.args) if hook.args and key == "command" else ()
        text, argv = " ".join(words) or line, words or ("sh", "-c", line)
        by = "" if key == "command" else f", by `{key}`"
        cwd = f", works in {hook.cwd}" if hook.cwd else ""
        yield made.replace(
            text=text,
            when=f"{when}{by}{cwd}",
            keys=(*hook.keys, key),
            runs=text,
            argv=argv,
            hosts=hosts_in(text),
            env=tuple(env),
        )


def header_hooks(item: Skill | Command | Subagent, when: str) -> Iterator[Act]:
    """Hooks in the header of a skill, a command or a subagent: an event has groups, a group has hooks."""
    hooks = item.fields.get("hooks")
    if hooks and not isinstance(hooks, dict):
        yield Act(HOOK, "hooks", json.dumps(hooks, default=str), when, item.path, ("hooks",), hosts=hosts_in(hooks))
        return
    for event, groups in (hooks or {}).items():
        for keys, matcher, handler in _handlers(groups, ("hooks", event), None):
            kind = str(handler.get("type") or "command")
            spoken = str(next((handler[key] for key in _LINES if isinstance(handler.get(key), str)), ""))
            hook = Hook(str(event), matcher, spoken, item.path, "", handler, {}, keys, type=kind)
            yield from hook_acts(hook, when)


def _handlers(value: object, keys: Keys, matcher: object) -> Iterator[tuple[Keys, object, Mapping[str, Any]]]:
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _handlers(each, (*keys, index), matcher)
    elif isinstance(value, dict) and "hooks" in value and keys.count("hooks") < _DEEPEST:
        yield from _handlers(value["hooks"], (*keys, "hooks"), value.get("matcher", matcher))
    elif isinstance(value, dict):
        yield keys, matcher, value
    elif isinstance(value, str) and value:
        yield keys, matcher, {"command": value}


def _lines(hook: Hook) -> Iterator[tuple[str, str]]:
    """Each different line with its key. `command` of the hook has the package's variables filled in, `fields` not."""
    fields = hook.fields
    standing = next((key for key in _LINES if fields.get(key)), "command")
    found = {standing: hook.command} if isinstance(hook.command, str) and hook.command else {}
    for key in _LINES:
        line = fields.get(key)
        if key not in found and isinstance(line, str) and line and line != fields.get(standing):
            found[key] = line
    if not found and fields.get("command"):
        found["command"] = _text(fields["command"])
    yield from found.items()


def _without_line(hook: Hook, made: Act) -> Act:
    fields = hook.fields
    if hook.type == "http":
        url = hook.url or str(hook.command)
        env = (*(hook.allowed_env_vars or ()), *variables_in(dict(hook.headers)), *variables_in(url))
        headers = f" with the headers {', '.join(hook.headers)}" if hook.headers else ""
        text = f"http: sends the event to {url}{headers}"
        keys, hosts = (*hook.keys, "url"), hosts_in(url) or (url,)
        return made.replace(text=text, keys=keys, url=url, hosts=hosts, env=tuple(dict.fromkeys(env)))
    if hook.type == "mcp_tool":
        given = f" with {_text(dict(hook.input))}" if hook.input else ""
        text = f"mcp_tool: calls the tool {hook.tool or hook.command} of the server {hook.server or '?'}{given}"
    elif hook.type in ("prompt", "agent"):
        who = "an agent with tools" if hook.type == "agent" else "a model"
        text = f"{hook.type}: asks {who}: {hook.prompt or hook.command}"
    else:
        text = f"{hook.type}: {_text(dict(fields))}"
    return made.replace(text=text, hosts=hosts_in(dict(fields)))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)

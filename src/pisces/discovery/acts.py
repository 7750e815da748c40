"""What a found item would do by itself. One inventory for whoever has to show it: `doctor`, consent, reports."""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called
from pisces.discovery.found import PROJECT
from pisces.discovery.harness import HARNESSES
from pisces.files import Unreadable, read_text
from pisces.shapes.act import ENVIRONMENT, GRANT, HOOK, MODULE, PROGRAM, SERVER, Act
from pisces.shapes.mcp_server import McpServer
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.hook import Hook
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent

KINDS_THAT_ACT = ("hooks", "mcp-servers", "modules", "subagents", "skills", "settings")
_AT_START = "at start"


class SettingAct(Value):
    """A key of a harness's settings that acts; `*` in `keys` stands for every key or every entry of a list.

    With `values` it acts only if it is one of these. What `opens` takes a protection away. In a list of rules, `shows`
    is the key of the rule that says what it is about. The program ignores what is `user_only` in a project's file.
    """

    keys: tuple[str, ...]
    kind: str
    what: str
    values: tuple[object, ...] = ()
    when: str = _AT_START
    opens: bool = False
    shows: str = ""
    user_only: bool = False


class ActingKeys(Value):
    """What `harnesses/<id>/acts.py` exports as `ACTS`: keys of its settings, and files of variables in a project.

    Of `env_files` the first that is there counts, from the current directory up to the repository's root.
    """

    settings: tuple[SettingAct, ...] = ()
    env_files: tuple[str, ...] = ()


def acts_of(kind: str, found: Found) -> Iterator[Act]:
    """Everything that an item of a kind would do without being asked, in the order of its file."""
    item = found.item
    if kind == "hooks":
        yield _hook(item)
    elif kind == "mcp-servers":
        yield from server_acts(item, _AT_START)
    elif kind == "modules":
        yield Act(MODULE, item.name, item.path, "when the agent starts", item.path)
    elif kind == "subagents":
        yield from _subagent(item)
    elif kind == "skills":
        yield from _nested_hooks(item, f"while the skill {item.name} is used")
    elif kind == "settings":
        yield from _settings(found)


def server_acts(server: McpServer, when: str) -> Iterator[Act]:
    runs = " ".join(server.argv)
    yield Act(SERVER, str(server.name), server.launch, when, server.path, server.keys, runs)
    helper = server.fields.get("headersHelper")
    if isinstance(helper, str) and helper:
        yield Act(PROGRAM, "headersHelper", helper, when, server.path, (*server.keys, "headersHelper"), helper)
    if server.trust:
        text = f"every tool of {server.name} runs unasked"
        yield Act(GRANT, "trust", text, when, server.path, (*server.keys, "trust"))


def _hook(hook: Hook) -> Act:
    matcher = "" if hook.matcher in (None, "", "*") else f" ({hook.matcher})"
    runs = hook.command if hook.type == "command" else ""
    text = hook.command if hook.type == "command" else f"{hook.type}: {hook.command}"
    return Act(HOOK, str(hook.event), text, f"on {hook.event}{matcher}", hook.path, hook.keys, runs)


def _subagent(agent: Subagent) -> Iterator[Act]:
    when = f"while the subagent {agent.name} works"
    for name, config in agent.mcp_servers.items():
        if isinstance(config, dict):
            yield from server_acts(McpServer(name, config, agent.path, agent.keys), when)
    if agent.agent_card_url:
        yield Act(SERVER, agent.name, agent.agent_card_url, when, agent.path, agent.keys)
    if agent.permission_mode in ("bypassPermissions", "acceptEdits", "yolo"):
        keys = (*agent.keys, "permissionMode")
        yield Act(GRANT, "permissionMode", agent.permission_mode, when, agent.path, keys, opens=True)
    yield from _nested_hooks(agent, when)


def _nested_hooks(item: Skill | Subagent, when: str) -> Iterator[Act]:
    """Hooks in the header of a skill or a subagent: an event has groups, a group has hooks."""
    hooks = item.fields.get("hooks")
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for each in _handlers(groups, 0):
            runs = str(each.get("command") or "")
            text = runs or str(each.get("url") or each.get("prompt") or each.get("type") or "")
            yield Act(HOOK, str(event), text, f"on {event}, {when}", item.path, ("hooks", event), runs)


def _handlers(value: object, depth: int) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for each in value:
            yield from _handlers(each, depth)
    elif isinstance(value, dict) and "hooks" in value and depth < 2:
        yield from _handlers(value["hooks"], depth + 1)
    elif isinstance(value, dict):
        yield value


def _settings(found: Found) -> Iterator[Act]:
    values = getattr(found.item, "values", None)
    if not isinstance(values, dict):
        return
    for acting in acts_named(found.source.harness).settings:
        if acting.user_only and found.source.level == PROJECT:
            continue
        for keys, value in _below(values, acting.keys, ()):
            if not acting.values or any(value == each and type(value) is type(each) for each in acting.values):
                shown = _shown(values, keys, acting.shows) if acting.shows else value
                yield _setting(found.item.path, acting, keys, shown)


def _setting(path: str, acting: SettingAct, keys: tuple[str | int, ...], value: object) -> Act:
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    if acting.kind == ENVIRONMENT:
        return Act(acting.kind, str(keys[-1]), f"{keys[-1]}={value}", acting.when, path, keys)
    name, runs = ".".join(map(str, keys)), text if acting.kind == PROGRAM else ""
    return Act(acting.kind, name, text, f"{acting.what}, {acting.when}", path, keys, runs, acting.opens)


def _shown(values: Any, keys: tuple[str | int, ...], key: str) -> object:
    """The value of a key in the entry of the innermost list that the keys lead through."""
    last = max((at for at, each in enumerate(keys) if isinstance(each, int)), default=-1)
    for each in keys[: last + 1]:
        values = values[each]
    return values.get(key, "") if isinstance(values, dict) else ""


def acts_named(harness_id: str) -> ActingKeys:
    """What is known of a harness; nothing where its folder has no `acts.py`."""
    folder = f"{HARNESSES}.{harness_id.replace('-', '_')}"
    if folder not in files_called(HARNESSES, "acts"):
        return ActingKeys()
    found: ActingKeys = export_of(folder, "acts", "ACTS")
    return found


def env_file_acts(harness_id: str, places: Places) -> Iterator[Act]:
    """The variables of the file that a harness takes from a project, if there is one."""
    names = acts_named(harness_id).env_files
    paths = (os.path.join(folder, *name.split("/")) for folder in places.ancestors() for name in names)
    path = next(filter(os.path.isfile, paths), "")
    try:
        text = read_text(path) if path and not path.startswith(os.path.join(places.home, ".")) else ""
    except Unreadable:
        return
    for number, line in enumerate(text.splitlines()):
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and not name.startswith("#"):
            text = f"{name.strip()}={value.strip()}"
            yield Act(ENVIRONMENT, name.strip(), text, _AT_START, path, (number,))


def _below(
    value: Any, keys: tuple[str, ...], above: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value under a path of keys, with the keys that really lead there."""
    if not keys:
        if value not in (None, "", [], {}):
            yield above, value
        return
    key, rest = keys[0], keys[1:]
    if key == "*":
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for each, inner in items:
            yield from _below(inner, rest, (*above, each))
    elif isinstance(value, dict) and key in value:
        yield from _below(value[key], rest, (*above, key))

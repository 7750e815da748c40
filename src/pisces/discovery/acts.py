"""What a found item can run or reach. One inventory for whoever shows it: `doctor`, consent, the lock, reports."""

from __future__ import annotations

import json
import os

from pisces.by_name import export_of, has_file
from pisces.discovery.found import PROJECT
from pisces.discovery.harness import HARNESSES, Run
from pisces.discovery.hook_acts import hook_acts
from pisces.discovery.server_acts import server_acts
from pisces.files import Unreadable, read_text
from pisces.shapes.act import ENVIRONMENT, MODULE, PROGRAM, Act
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.settings import SettingsFile

KINDS_THAT_ACT = (
    *("hooks", "mcp-servers", "modules", "subagents", "skills", "commands"),
    *("policies", "packages", "settings"),
)
_IN_HEADERS = {"subagents": "subagent_acts", "skills": "skill_acts", "commands": "command_acts"}
AT_START, LOADED = "at start", "when the agent starts"


class SettingAct(Value):
    """A key of a harness's settings that acts; `*` in `keys` stands for every key or every entry of a list.

    With `values` it acts only if it is one of these. What `opens` takes a protection away. In a list of rules, `shows`
    is the key of the rule that says what it is about. The program ignores what is `user_only` in a project's file.
    """

    keys: tuple[str, ...]
    kind: str
    what: str
    values: tuple[object, ...] = ()
    when: str = AT_START
    opens: bool = False
    shows: str = ""
    user_only: bool = False


class ActingKeys(Value):
    """What `harnesses/<id>/acts.py` exports as `ACTS`: keys of its settings, and files of variables in a project.

    Of `env_files` the first that is there counts, from the current directory up to the repository's root.
    """

    settings: tuple[SettingAct, ...] = ()
    env_files: tuple[str, ...] = ()


def acts_of(kind: str, found: Found, run: Run | None = None) -> Iterator[Act]:
    """Everything that an item of a kind would start, reach or be granted, in the order of its file."""
    item = found.item
    if kind == "hooks":
        yield from hook_acts(item)
    elif kind == "mcp-servers":
        yield from server_acts(item, AT_START)
    elif kind == "modules":
        yield Act(MODULE, item.name, item.path, LOADED, item.path)
    elif kind in _IN_HEADERS:
        yield from export_of("pisces.discovery", "header_acts", _IN_HEADERS[kind])(item)
    elif kind == "policies" and item.checker:
        text = json.dumps(dict(item.checker), default=str)
        yield Act(PROGRAM, "safety checker", text, "before a tool call that it is for", item.path, item.keys)
    elif kind == "packages":
        yield from export_of("pisces.discovery", "package_acts", "own_acts")(item, run or Run())
    elif kind == "settings":
        yield from settings_acts(item, found.source.harness, found.source.level)


def settings_acts(item: SettingsFile, harness_id: str, level: str = PROJECT) -> Iterator[Act]:
    values = getattr(item, "values", None)
    if not isinstance(values, dict):
        return
    for acting in acts_named(harness_id).settings:
        if acting.user_only and level == PROJECT:
            continue
        for keys, value in _below(values, acting.keys, ()):
            if not acting.values or any(value == each and type(value) is type(each) for each in acting.values):
                shown = _shown(values, keys, acting.shows) if acting.shows else value
                yield _setting(item.path, acting, keys, shown)


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
    if not has_file(folder, "acts"):
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
            yield Act(ENVIRONMENT, name.strip(), text, AT_START, path, (number,))


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

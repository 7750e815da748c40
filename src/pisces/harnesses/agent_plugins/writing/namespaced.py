"""Commands, subagents and hooks in the folder of our own namespace, as Claude Code has them."""

from __future__ import annotations

from pisces.converting.assembling import assembled, json_file
from pisces.converting.fate import APPROXIMATED, LOST_COMPONENT, LOST_GUARD, mapped, subject_of
from pisces.converting.hook_tools import is_guard
from pisces.converting.leftovers import accepted_hooks
from pisces.converting.names import UniqueNames, slug
from pisces.converting.writer import OutputFile, Written, writer_named
from pisces.harnesses.agent_plugins.namespaces import OURS
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin
    from pisces.converting.writer import WriteOptions

_WORDS = "claude"  # whose words the namespace is written in
_HOOKS = "hooks/hooks.json"


def written_namespace(plugin: Plugin, options: WriteOptions) -> Written:
    if plugin.harness == _WORDS:
        written = [_commands(plugin, options), _agents(plugin), _hooks(plugin, options)]
    else:
        without = plugin.replace(contexts=())  # the standard has no place for those, which is reported elsewhere
        written = [_part(each)(without, options) for each in ("commands", "agents", "hooks")]
    inside = assembled(written)
    files = tuple(each.replace(path=f"{OURS}/{each.path}") for each in inside.files)
    guards = {subject_of(each) for each in plugin.hooks if is_guard(each)}
    return Written(files, tuple(each if each.is_loss else _only_here(each, guards) for each in inside.fates))


def _only_here(fate: Fate, guards: set[str]) -> Fate:
    rule = LOST_GUARD if fate.subject in guards else LOST_COMPONENT
    why = "the standard knows only skills and servers: of all clients, only pisces looks here"
    output = f"{OURS}/{fate.output}"
    return fate.replace(kind=APPROXIMATED, code=rule.code, severity=rule.severity, why=why, output=output)


def _part(name: str) -> Callable[[Plugin, WriteOptions], Written]:
    writer = writer_named(_WORDS)
    return (writer.parts if writer else EMPTY)[name]


def _commands(plugin: Plugin, options: WriteOptions) -> Written:
    """As they were found, under the names that a writer gives them; what is no file of its own is made one."""
    made = _part("commands")(plugin, options)
    sources = {each.path for each in plugin.commands if each.path.endswith(".md")}
    copied = {each.output: each.path for each in made.fates if not each.is_loss and each.path in sources}
    files = (OutputFile(each.path, None, copied[each.path]) if each.path in copied else each for each in made.files)
    return Written(tuple(files), tuple(each for each in made.fates if each.output in copied or each.field == "name"))


def _agents(plugin: Plugin) -> Written:
    files: dict[str, OutputFile] = {}
    fates: list[Fate] = []
    names = UniqueNames()
    for agent in plugin.agents:
        name = names.unique(slug(agent.name))
        path = f"agents/{name}.md"
        files[name] = OutputFile(path, None, agent.path)
        fates.append(mapped(agent, path))
    return Written(tuple(files.values()), tuple(fates))


def _hooks(plugin: Plugin, options: WriteOptions) -> Written:
    accepted = accepted_hooks(plugin, options, lambda _hook: "")
    events: dict[str, list[dict[str, Any]]] = {}
    for hook in accepted.hooks:
        matcher = {"matcher": hook.matcher} if hook.matcher is not None else {}
        events.setdefault(hook.name, []).append({**matcher, "hooks": [{"type": hook.type, **hook.fields}]})
    files = (json_file(_HOOKS, {"hooks": events}),) if events else ()
    return Written(files, (*accepted.fates, *(mapped(each, _HOOKS) for each in accepted.hooks)))

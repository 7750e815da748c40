"""Hooks: each runs through a program that is written beside them and speaks the protocol it was made for.

Gemini CLI understands exit codes and answers in another way, calls tools by other names and counts in milliseconds: a
hook that is only renamed lets pass what it should deny. `docs/concepts/hook-shim.md` has the whole of it.
"""

from __future__ import annotations

import re

from pisces.by_name import text_in
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost, mapped
from pisces.converting.hook_shim import (
    CLOSED_EVENTS,
    FOLDER,
    ShimEntry,
    dead_hook,
    field_losses,
    finite_json,
    hook_row,
    unreadable_hook,
)
from pisces.converting.hook_tools import lost_hook
from pisces.converting.writer import OutputFile, Written
from pisces.harnesses.gemini.writing.hook_events import HookTimes, times_of
from pisces.harnesses.gemini.writing.hook_matchers import HOOK_NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginHook
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

HOOKS_FILE = "hooks/hooks.json"
_DIALECTS = ("claude", "codex")  # both speak the protocol that the program understands
_HERE = "pisces.harnesses.gemini.writing"
# Only single quotes and no `$`: it is one word to bash and to PowerShell alike.
_LAUNCHER = (
    "const f=e=>{console.log(JSON.stringify(@ANSWER@));process.exit(0)};process.on('uncaughtException',f);"
    "const [p,i]=process.argv.slice(-2);import(require('url').pathToFileURL(p).href).then(m=>m.main(i)).catch(f)"
)
# A path behind the variable, up to what ends a word of a shell.
_BELOW_ROOT = re.compile(r"(\$(?:CLAUDE_PLUGIN_ROOT\b|\{CLAUDE_PLUGIN_ROOT\})[\"']?/)([^\s\"'`$;|&<>()]+)")
_DENIAL = "{decision:'deny',reason:'A guard of this extension cannot run: '+e}"
_WARNING = "{systemMessage:'A hook of this extension cannot run: '+e}"


class _Entry(ShimEntry):
    times: HookTimes = HookTimes("", ())


def written_hooks(plan: ExtensionPlan) -> Written:
    plugin, options = plan.plugin, plan.options
    if options.without_hooks or options.root:
        why = "hooks are left out on request" if options.without_hooks else "only an extension can bring hooks"
        return Written((), tuple(dead_hook(hook) or lost_hook(hook, why) for hook in plugin.hooks))
    own = tuple(hook for hook in plugin.hooks if hook.dialect == "gemini")
    entries: list[_Entry] = []
    seen: set[str] = set()
    fates: list[Fate] = [mapped(hook, HOOKS_FILE) for hook in own]
    for hook in plugin.hooks:
        if hook.dialect == "gemini":
            continue
        times = dead_hook(hook) or unreadable_hook(hook, "Gemini CLI", _DIALECTS) or times_of(hook, plugin.name)
        if not isinstance(times, HookTimes):
            fates.append(times)
            continue
        same = repr((hook.name, hook.matcher, hook.type, hook.fields))
        if same not in seen:  # Claude Code runs one command once
            seen.add(same)
            entries.append(_Entry(str(len(entries) + 1), hook, times=times))
        fates += (mapped(hook, HOOKS_FILE), *_losses(hook, times))
    known = {(each.subject, each.path, each.line, each.code) for each in plugin.fates if each.code}
    fates = [each for each in fates if (each.subject, each.path, each.line, each.code) not in known]
    return Written(_files(plan, own, entries), tuple(fates))


def _losses(hook: PluginHook, times: HookTimes) -> Iterator[Fate]:
    if times.differs:
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, times.differs, "group.matcher" if hook.matcher else "")
    if "transcript_path" in hook.command:
        why = "of Gemini CLI's transcript it gets the messages, calls and results, and nothing else"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, "command")
    if hook.name in CLOSED_EVENTS:
        why = "on Windows, where `PATH` has no `node`, Gemini CLI lets pass what the hook would deny"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why).replace(fix="have `node` in `PATH` there")
    yield from field_losses(hook)


def _files(plan: ExtensionPlan, own: tuple[PluginHook, ...], entries: list[_Entry]) -> tuple[OutputFile, ...]:
    if not own and not entries:
        return ()
    name = plan.names.extension
    events: dict[str, list[dict[str, Any]]] = {}
    for hook in own:
        group = {key: value for key, value in hook.group.items() if key != "hooks"}
        events.setdefault(hook.name, []).append({**group, "hooks": [dict(hook.fields)]})
    for entry in entries:
        for matcher in entry.times.matchers:
            group = {} if matcher is None else {"matcher": matcher}
            events.setdefault(entry.times.event, []).append({**group, "hooks": [_handler(name, entry)]})
    files = [OutputFile(HOOKS_FILE, finite_json({"hooks": events}))]
    if entries:
        files += (
            OutputFile(f"{FOLDER}/find-node.sh", text_in(_HERE, "find_node.sh").encode()),
            OutputFile(f"{FOLDER}/hooks.json", finite_json(_table(plan, entries))),
            OutputFile(f"{FOLDER}/protocol.mjs", text_in("pisces.converting", "hook_protocol.mjs").encode()),
            OutputFile(f"{FOLDER}/run.mjs", text_in(_HERE, "claude_compat.mjs").encode()),
        )
    return tuple(files)


def _handler(name: str, entry: _Entry) -> dict[str, Any]:
    is_closed = entry.is_closed
    launcher = _LAUNCHER.replace("@ANSWER@", _DENIAL if is_closed else _WARNING)
    program = "${extensionPath}${/}" + f"{FOLDER}/run.mjs".replace("/", "${/}")
    message = entry.hook.fields.get("statusMessage")
    return {
        "type": "command",
        "name": f"{name} {entry.hook.name} {entry.id}",
        **({"description": message} if isinstance(message, str) and message else {}),
        # Bun loses the first word behind the code where it is called `node`.
        "command": f'node -e "{launcher}" hook "{program}" {entry.id}',
        "timeout": entry.timeout,
        # bash reads this file first, which finds an interpreter where PATH has none.
        "env": {
            "CLAUDE_PLUGIN_ROOT": "${extensionPath}",
            "BASH_ENV": f"$CLAUDE_PLUGIN_ROOT/{FOLDER}/find-node.sh",
            "PISCES_HOOK": "guard" if is_closed else "other",
        },
    }


def _table(plan: ExtensionPlan, entries: list[_Entry]) -> dict[str, Any]:
    """What the program needs: the hooks as they were, and the names that differ."""
    names, plugin = plan.names, plan.plugin
    agents = {names.agents[each.path]: (":".join((*each.folders, each.name)), each.name) for each in plugin.agents}
    return {
        "plugin": names.extension,
        "package": plugin.name,
        "tools": {tool: list(known) for tool, known in HOOK_NAMES.items() if known},
        "servers": {new: [f"plugin_{plugin.name}_{old}", old] for old, new in names.servers.items()},
        "agents": {new: [f"{plugin.name}:{full}", name] for new, (full, name) in agents.items()},
        "options": {each.variable: names.variables[each.name] for each in plugin.settings if each.variable},
        "hooks": {entry.id: hook_row(entry, lambda text: _moved(text, plan)) for entry in entries},
    }


def _moved(text: str, plan: ExtensionPlan) -> str:
    """A path below the package's folder, where the extension has it."""
    return _BELOW_ROOT.sub(lambda found: f"{found[1]}{_new_place(found[2], plan)}", text)


def _new_place(path: str, plan: ExtensionPlan) -> str:
    parts = path.split("/")
    for count in range(len(parts), 0, -1):
        new = plan.moved.get("/".join(parts[:count]))
        if new is not None:
            return "/".join((new, *parts[count:]))
    return path

"""Hooks: each runs through a program that is written beside them and speaks the protocol it was made for.

Gemini CLI understands exit codes and answers in another way, calls tools by other names and counts in milliseconds: a
hook that is only renamed lets pass what it should deny. `docs/concepts/hook-shim.md` has the whole of it.
"""

from __future__ import annotations

import json
import re
from math import isfinite

from pisces.by_name import text_in
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, NEVER_LOADED, lost, mapped
from pisces.converting.hook_tools import lost_hook
from pisces.converting.writer import OutputFile, Written
from pisces.harnesses.gemini.writing.hook_events import CLOSED_EVENTS, TOOL_EVENTS, HookTimes, times_of
from pisces.harnesses.gemini.writing.hook_matchers import HOOK_NAMES
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginHook
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

HOOKS_FILE = "hooks/hooks.json"
FOLDER = "hooks/claude-compat"
_HERE = "pisces.harnesses.gemini.writing"
_DIALECTS = ("claude", "codex")  # both speak the protocol that the program understands
_TYPES = ("command", "http")
_READ = frozenset(
    """
    type command args if shell timeout statusMessage async onFailure url headers allowedEnvVars
    """.split()
)
_GROUP_READ = frozenset(("matcher", "hooks"))
_SECONDS = {"UserPromptSubmit": 30.0}
_DEFAULT_SECONDS = 600.0
_LONG, _TO_START = 5000, 5000  # milliseconds
_MOST_SECONDS = 1000  # who writes more means milliseconds
_RULE = re.compile(r"[A-Za-z][\w-]*(?:\(.*\))?|mcp__.+", re.DOTALL | re.ASCII)
# Only single quotes and no `$`: it is one word to bash and to PowerShell alike.
_LAUNCHER = (
    "const f=e=>{console.log(JSON.stringify(@ANSWER@));process.exit(0)};process.on('uncaughtException',f);"
    "const [p,i]=process.argv.slice(-2);import(require('url').pathToFileURL(p).href).then(m=>m.main(i)).catch(f)"
)
# A path behind the variable, up to what ends a word of a shell.
_BELOW_ROOT = re.compile(r"(\$(?:CLAUDE_PLUGIN_ROOT\b|\{CLAUDE_PLUGIN_ROOT\})[\"']?/)([^\s\"'`$;|&<>()]+)")
_DENIAL = "{decision:'deny',reason:'A guard of this extension cannot run: '+e}"
_WARNING = "{systemMessage:'A hook of this extension cannot run: '+e}"


class _Entry(Value):
    """A hook that is written. `id` is its key in the table beside the program."""

    id: str
    hook: PluginHook
    times: HookTimes

    @property
    def limit(self) -> int:
        """Milliseconds for the hook itself."""
        default = _SECONDS.get(self.hook.name, _DEFAULT_SECONDS)
        seconds = self.hook.seconds or default
        return max(1, round((default if seconds >= _MOST_SECONDS else seconds) * 1000))

    @property
    def timeout(self) -> int:
        """Milliseconds that Gemini CLI waits. To start an interpreter counts little beside a long limit."""
        return self.limit if self.limit >= _LONG else self.limit + _TO_START


def written_hooks(plan: ExtensionPlan) -> Written:
    plugin, options = plan.plugin, plan.options
    if options.without_hooks or options.root:
        why = "hooks are left out on request" if options.without_hooks else "only an extension can bring hooks"
        return Written((), tuple(_dead(hook) or lost_hook(hook, why) for hook in plugin.hooks))
    own = tuple(hook for hook in plugin.hooks if hook.dialect == "gemini")
    entries: list[_Entry] = []
    seen: set[str] = set()
    fates: list[Fate] = [mapped(hook, HOOKS_FILE) for hook in own]
    for hook in plugin.hooks:
        if hook.dialect == "gemini":
            continue
        times = _dead(hook) or _unreadable(hook) or times_of(hook, plugin.name)
        if not isinstance(times, HookTimes):
            fates.append(times)
            continue
        same = repr((hook.name, hook.matcher, hook.type, hook.fields))
        if same not in seen:  # Claude Code runs one command once
            seen.add(same)
            entries.append(_Entry(str(len(entries) + 1), hook, times))
        fates += (mapped(hook, HOOKS_FILE), *_losses(hook, times))
    known = {(each.subject, each.path, each.line, each.code) for each in plugin.fates if each.code}
    fates = [each for each in fates if (each.subject, each.path, each.line, each.code) not in known]
    return Written(_files(plan, own, entries), tuple(fates))


def _dead(hook: PluginHook) -> Fate | None:
    """What its own program never runs is not brought to life."""
    why = hook.dead
    condition = hook.fields.get("if")
    if not why and condition is not None and hook.name not in TOOL_EVENTS:
        why = "a hook with `if` runs only for tools"
    if not why and condition is not None and not (isinstance(condition, str) and _RULE.fullmatch(condition.strip())):
        why = f"its condition `{condition}` is no rule, so that it never runs"
    if not why and "${user_config." in hook.command and "args" not in hook.fields:
        why = "a setting in a command line is refused; it belongs into `args`"
    if not why and "timeout" in hook.fields and not _is_limit(hook.fields["timeout"]):
        why = "its time limit is no positive number"
    return lost(DROPPED, NEVER_LOADED, hook, why) if why else None


def _is_limit(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _unreadable(hook: PluginHook) -> Fate | None:
    if hook.dialect not in _DIALECTS:
        return lost_hook(hook, f"its program speaks the protocol of `{hook.dialect}`, which Gemini CLI does not")
    if hook.type not in _TYPES:
        return lost_hook(hook, f"Gemini CLI has no hooks of type `{hook.type}`", "type")
    if not hook.command and not hook.fields.get("url"):
        return lost(DROPPED, NEVER_LOADED, hook, "it has nothing to run")
    return None


def _losses(hook: PluginHook, times: HookTimes) -> list[Fate]:
    found = []
    if times.differs:
        found.append(lost(APPROXIMATED, CHANGED_MEANING, hook, times.differs, "group.matcher" if hook.matcher else ""))
    if hook.seconds is not None and hook.seconds >= _MOST_SECONDS:
        why = f"{hook.seconds:g} seconds are too many to be meant: the usual limit is used"
        found.append(lost(APPROXIMATED, CHANGED_MEANING, hook, why, "timeout"))
    if "transcript_path" in hook.command:
        why = "of Gemini CLI's transcript it gets the messages, calls and results, and nothing else"
        found.append(lost(APPROXIMATED, CHANGED_MEANING, hook, why, "command"))
    for key in hook.fields:
        if key == "asyncRewake":
            why = "it runs in the background, and nothing wakes the model when it ends"
            found.append(lost(APPROXIMATED, CHANGED_MEANING, hook, why, key))
        elif key not in _READ:
            found.append(lost(DROPPED, LOST_FIELD, hook, f"a hook has no field `{key}` that is read here", key))
    unread = (key for key in hook.group if key not in _GROUP_READ)
    return [*found, *(lost(DROPPED, LOST_FIELD, hook, f"`{key}` is not read", f"group.{key}") for key in unread)]


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
    files = [OutputFile(HOOKS_FILE, _json({"hooks": events}))]
    if entries:
        files += (
            OutputFile(f"{FOLDER}/find-node.sh", text_in(_HERE, "find_node.sh").encode()),
            OutputFile(f"{FOLDER}/hooks.json", _json(_table(plan, entries))),
            OutputFile(f"{FOLDER}/protocol.mjs", text_in("pisces.converting", "hook_protocol.mjs").encode()),
            OutputFile(f"{FOLDER}/run.mjs", text_in(_HERE, "claude_compat.mjs").encode()),
        )
    return tuple(files)


def _handler(name: str, entry: _Entry) -> dict[str, Any]:
    is_closed = entry.hook.name in CLOSED_EVENTS
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
        "hooks": {entry.id: _row(entry, plan) for entry in entries},
    }


def _row(entry: _Entry, plan: ExtensionPlan) -> dict[str, Any]:
    hook = entry.hook
    fields = {key: value for key, value in hook.fields.items() if key in _READ or key == "asyncRewake"}
    fields.pop("timeout", None)
    if isinstance(fields.get("command"), str):
        fields["command"] = _moved(fields["command"], plan)
    if isinstance(fields.get("args"), list | tuple):
        fields["args"] = [_moved(each, plan) if isinstance(each, str) else each for each in fields["args"]]
    return {
        "id": entry.id,
        "event": hook.name,
        **({} if hook.matcher is None else {"matcher": hook.matcher}),
        "hook": fields,
        "shown": (hook.command or str(hook.fields.get("url")))[:200],
        "limit": entry.limit,
        "timeout": entry.timeout,
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


def _json(value: object) -> bytes:
    """What an author wrote may hold half characters and numbers without end, which are no JSON: one would cost all."""
    return json.dumps(_finite(value), indent=2, allow_nan=False).encode() + b"\n"


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value

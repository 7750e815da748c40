"""Hooks of Claude Code's protocol behind that of another program: what is written beside them, and what is reported.

A hook that is only renamed lets pass what it should deny. So each runs through a small program (`hook_runner.mjs`)
that asks and answers in both protocols; `words.mjs` beside it is what the target alone knows.
`docs/concepts/hook-shim.md` has the whole of it.
"""

from __future__ import annotations

import json
import re
from math import ceil, isfinite

from pisces.by_name import text_in
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, NEVER_LOADED, lost, mapped
from pisces.converting.hook_tools import lost_hook
from pisces.converting.names import slug
from pisces.converting.writer import OutputFile
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginHook
    from pisces.converting.writer import WriteOptions

FOLDER = "hooks/claude-compat"
TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")
# Where a hook that cannot be run must not let things pass. A stop hook must not keep the agent going.
CLOSED_EVENTS = ("PreToolUse", "PermissionRequest", "UserPromptSubmit", "BeforeTool", "BeforeAgent")
_TYPES = ("command", "http")
READ = frozenset(
    """
    type command args if shell timeout statusMessage async onFailure url headers allowedEnvVars
    """.split()
)
_GROUP_READ = frozenset(("matcher", "hooks"))
_SECONDS = {"UserPromptSubmit": 30.0}
_DEFAULT_SECONDS = 600.0
_LONG, _TO_START = 5000, 5000  # milliseconds
MOST_SECONDS = 1000  # who writes more means milliseconds
_RULE = re.compile(r"[A-Za-z][\w-]*(?:\(.*\))?|mcp__.+", re.DOTALL | re.ASCII)
_LONGEST_SHOWN = 200
_FILES = {"calls.mjs": "hook_calls.mjs", "protocol.mjs": "hook_protocol.mjs", "run.mjs": "hook_runner.mjs"}
_STARTERS = {"run.sh": "hook_run.sh", "run.cmd": "hook_run.cmd"}


class ShimEntry(Value):
    """A hook that is written. `id` is its key in the table beside the program.

    `most` are the seconds that the target waits at most, 0 where it has no such limit.
    """

    id: str
    hook: PluginHook
    most: int = 0
    folder: str = FOLDER

    @property
    def is_closed(self) -> bool:
        """Whether it denies where it cannot run."""
        return self.hook.name in CLOSED_EVENTS

    @property
    def limit(self) -> int:
        """Milliseconds for the hook itself."""
        default = _SECONDS.get(self.hook.name, _DEFAULT_SECONDS)
        seconds = self.hook.seconds or default
        return max(1, round((default if seconds >= MOST_SECONDS else seconds) * 1000))

    @property
    def timeout(self) -> int:
        """Milliseconds that the program waits. To start an interpreter counts little beside a long limit."""
        wanted = self.limit if self.limit >= _LONG else self.limit + _TO_START
        return min(wanted, self.most * 1000) if self.most else wanted

    @property
    def seconds(self) -> int:
        """Whole seconds that the program waits."""
        return ceil(self.timeout / 1000)


class ShimTarget(Value):
    """`differs` says for an event of Claude Code what is not quite the same there; an event that it lacks has none.

    `words` is the package with `hook_words.mjs`. `refused` says why a hook about tools that it lacks is not written.
    `limits` are seconds that the program waits at most, by event. `folder` is where the program is put, and `row` makes
    what it knows of a hook.
    """

    label: str
    words: str
    differs: Mapping[str, str]
    refused: Callable[[PluginHook], Fate | None]
    dialects: tuple[str, ...]
    limits: Mapping[str, int] = EMPTY
    folder: str = FOLDER
    row: Callable[[ShimEntry], dict[str, Any]] | None = None


class ShimHooks(Value):
    entries: tuple[ShimEntry, ...]
    fates: tuple[Fate, ...]


def dead_hook(hook: PluginHook) -> Fate | None:
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


def unreadable_hook(hook: PluginHook, label: str, dialects: tuple[str, ...]) -> Fate | None:
    """`dialects` are those of the protocol that the program understands."""
    if hook.dialect not in dialects:
        return lost_hook(hook, f"its program speaks the protocol of `{hook.dialect}`, which {label} does not")
    if hook.type not in _TYPES:
        return lost_hook(hook, f"{label} has no hooks of type `{hook.type}`", "type")
    if not hook.command and not hook.fields.get("url"):
        return lost(DROPPED, NEVER_LOADED, hook, "it has nothing to run")
    return None


def field_losses(hook: PluginHook) -> Iterator[Fate]:
    """What becomes of the fields of a hook that runs through the program."""
    yield from common_losses(hook)
    for key in hook.fields:
        if key == "asyncRewake":
            why = "it runs in the background, and nothing wakes the model when it ends"
            yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, key)
        elif key not in READ:
            yield lost(DROPPED, LOST_FIELD, hook, f"a hook has no field `{key}` that is read here", key)


def common_losses(hook: PluginHook) -> Iterator[Fate]:
    """What becomes of a time limit that nobody means, and of what stands around a hook."""
    if hook.seconds is not None and hook.seconds >= MOST_SECONDS:
        why = f"{hook.seconds:g} seconds are too many to be meant: the usual limit is used"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, "timeout")
    for key in hook.group:
        if key not in _GROUP_READ:
            yield lost(DROPPED, LOST_FIELD, hook, f"`{key}` is not read", f"group.{key}")


def shim_hooks(hooks: Iterable[PluginHook], target: ShimTarget, options: WriteOptions) -> ShimHooks:
    """Those that run through the program, each once, and what is reported of them and of the others."""
    entries: list[ShimEntry] = []
    fates: list[Fate] = []
    seen: set[str] = set()
    for hook in hooks:
        refused = dead_hook(hook) or _refused(hook, target, options)
        if refused:
            fates.append(refused)
            continue
        same = repr((hook.name, hook.matcher, hook.type, hook.fields))
        if same not in seen:  # Claude Code runs one command once
            seen.add(same)
            entries.append(ShimEntry(str(len(entries) + 1), hook, target.limits.get(hook.name, 0)))
        else:
            fates.append(mapped(hook, f"{target.folder}/hooks.json"))
        fates += _losses(hook, target)
    return ShimHooks(tuple(entries), tuple(fates))


def _refused(hook: PluginHook, target: ShimTarget, options: WriteOptions) -> Fate | None:
    if options.without_hooks:
        return lost_hook(hook, "hooks are left out on request")
    if hook.name not in target.differs:
        return lost_hook(hook, f"{target.label} has no event like `{hook.name}` that a hook can decide")
    return unreadable_hook(hook, target.label, target.dialects) or target.refused(hook)


def _losses(hook: PluginHook, target: ShimTarget) -> Iterator[Fate]:
    if target.differs[hook.name]:
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, target.differs[hook.name])
    if "transcript_path" in hook.command:
        why = f"it gets the transcript as {target.label} writes it"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, "command")
    most = target.limits.get(hook.name)
    if most is not None and (hook.seconds or most) > most:
        why = f"{target.label} waits at most {most} seconds for it"
        yield lost(APPROXIMATED, CHANGED_MEANING, hook, why, "timeout")
    yield from field_losses(hook)


def shim_files(plugin: Plugin, entries: tuple[ShimEntry, ...], target: ShimTarget) -> tuple[OutputFile, ...]:
    """The program, with the hooks as they were and the names that differ."""
    if not entries:
        return ()
    own = "pisces.converting"
    texts = {
        **{name: text_in(own, source) for name, source in (_FILES | _STARTERS).items()},
        "words.mjs": text_in(target.words, "hook_words.mjs"),
    }
    table = {
        "plugin": slug(plugin.name),
        "package": plugin.name,
        "servers": {each.name: [f"plugin_{plugin.name}_{each.name}"] for each in plugin.servers},
        "agents": {each.name: [f"{plugin.name}:{each.name}", each.name] for each in plugin.agents},
        "hooks": {entry.id: (target.row or hook_row)(entry) for entry in entries},
    }
    files = [OutputFile(f"{target.folder}/{name}", text.encode()) for name, text in texts.items()]
    return (*files, OutputFile(f"{target.folder}/hooks.json", finite_json(table)))


def hook_row(entry: ShimEntry, moved: Callable[[str], str] = str) -> dict[str, Any]:
    """The hook as it was. `moved` puts paths below the package's folder where the output has them."""
    hook = entry.hook
    fields = {key: value for key, value in hook.fields.items() if key in READ or key == "asyncRewake"}
    fields.pop("timeout", None)
    if isinstance(fields.get("command"), str):
        fields["command"] = moved(fields["command"])
    if isinstance(fields.get("args"), list | tuple):
        fields["args"] = [moved(each) if isinstance(each, str) else each for each in fields["args"]]
    return {
        "id": entry.id,
        "event": hook.name,
        **({} if hook.matcher is None else {"matcher": hook.matcher}),
        "hook": fields,
        "shown": (hook.command or str(hook.fields.get("url")))[:_LONGEST_SHOWN],
        "limit": entry.limit,
        "timeout": entry.timeout,
    }


def start_line(entry: ShimEntry, root: str) -> str:
    """For every shell of a Unix. A guard that cannot be started ends with 2, which denies.

    Any other hook ends with 1: some shells end with 2 where a file is missing, and a turn would never end.
    """
    line = f'sh "{root}/{entry.folder}/run.sh" {entry.id}'
    return f"{line} guard || exit 2" if entry.is_closed else f"{line} || exit 1"


def windows_line(entry: ShimEntry, root: str) -> str:
    """For `cmd` and PowerShell alike."""
    folder = entry.folder.replace("/", "\\")
    line = f'cmd /d /c call "{root}\\{folder}\\run.cmd" {entry.id}'
    return f"{line} guard" if entry.is_closed else line


def finite_json(value: object) -> bytes:
    """What an author wrote may hold half characters and numbers without end, which are no JSON: one would cost all."""
    return json.dumps(_finite(value), indent=2, allow_nan=False).encode() + b"\n"


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value

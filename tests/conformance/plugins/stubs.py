"""A copy of a plugin in which nothing of its authors can run: each script and each hook's command is a stub of ours.

A stub writes its name to the file JUDGE_LOG and then denies in the way that JUDGE_STYLE says. A hook that only calls a
script of the plugin keeps its command, so that its quoting, its variables and its path are tried too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.conformance.plugins.claude_view import MANIFEST, SKIPPED

STYLES = ("exit", "deny", "block")
TEXTS = {".md", ".json", ".yaml", ".yml", ".toml", ".txt"}
RUNNER = {".sh": "shell", ".bash": "shell", ".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node"}
_PLAIN = re.compile(
    r"""(?:(?P<runner>bash|sh|python3|node)\s+)?
    (?:"\$\{CLAUDE_PLUGIN_ROOT\}(?P<a>/[\w./-]+)"|"\$CLAUDE_PLUGIN_ROOT(?P<b>/[\w./-]+)"|"\$\{?CLAUDE_PLUGIN_ROOT\}?"(?P<c>/[\w./-]+)
    |\$\{CLAUDE_PLUGIN_ROOT\}(?P<d>/[\w./-]+)|\$CLAUDE_PLUGIN_ROOT(?P<e>/[\w./-]+))
    (?P<rest>(?:\s+[\w./:=-]+)*)\s*""",
    re.VERBOSE,
)
_SHELL = """#!/bin/sh
cat >/dev/null
name={name}
[ -z "$name" ] && name=$1
echo "$name" >>"$JUDGE_LOG"
case "$JUDGE_STYLE" in
exit) echo "stub $name" >&2; exit 2 ;;
deny)
  echo '{{"hookSpecificOutput": {{"hookEventName": "PreToolUse", "permissionDecision": "deny",'
  echo '"permissionDecisionReason": "stub '"$name"'"}}}}' ;;
block) echo '{{"decision":"block","reason":"stub '"$name"'"}}' ;;
esac
"""
_PYTHON = """#!/usr/bin/env python3
import os, subprocess, sys
sys.exit(subprocess.call(["sh", os.path.join(os.environ["JUDGE_STUBS"], "judge.sh"), {name!r}]))
"""
_NODE = """#!/usr/bin/env node
import('node:child_process').then(({{ spawnSync }}) => {{
  process.exit(spawnSync('sh', [process.env.JUDGE_STUBS + '/judge.sh', {name}], {{ stdio: 'inherit' }}).status);
}});
"""


@dataclass(frozen=True)
class SourceHook:
    """A hook as its file has it; a `matcher` that is no text makes Claude Code leave it out.

    `name` is what its stub writes; hooks that call one script share it.
    """

    name: str
    event: str
    matcher: Any
    handler: dict[str, Any]
    path: str


def stubbed_copy(plugin: Path, copy: Path) -> list[SourceHook]:
    """The hooks in the order of their files."""
    shutil.copytree(plugin, copy, symlinks=True, ignore=shutil.ignore_patterns(*SKIPPED))
    for folder, _inside, names in os.walk(copy):
        for name in names:
            _stub(Path(folder, name), copy)
    (copy / "judge.sh").write_text(_SHELL.format(name="''"), "utf-8")
    return [hook for path in _hook_files(copy) for hook in _stubbed_hooks(path, copy)]


def _stub(path: Path, copy: Path) -> None:
    if path.is_symlink() or path.suffix.lower() in TEXTS or not path.is_file():
        return
    name = path.relative_to(copy).as_posix()
    kind = RUNNER.get(path.suffix.lower(), "shell")
    mode = path.stat().st_mode
    path.unlink()
    if kind == "python":
        path.write_text(_PYTHON.format(name=name), "utf-8")
    elif kind == "node":
        path.write_text(_NODE.format(name=json.dumps(name)), "utf-8")
    else:
        path.write_text(_SHELL.format(name=json.dumps(name)), "utf-8")
    path.chmod(mode)


def hooks_of(plugin: Path) -> list[SourceHook]:
    """The hooks of a plugin as it is, named by their number."""
    found: list[SourceHook] = []
    for path in _hook_files(plugin):
        for event, group, handler in handlers(_hook_table(_json(path), path)):
            at = path.relative_to(plugin).as_posix()
            found.append(SourceHook(f"hook-{len(found)}", event, group.get("matcher", ""), handler, at))
    return found


def _hook_files(plugin: Path) -> list[Path]:
    """The default file, those that the manifest names, and the manifest itself where it has hooks inside."""
    manifest = plugin / MANIFEST
    declared = (_json(manifest) or {}).get("hooks") if manifest.is_file() else None
    entries = declared if isinstance(declared, list) else [declared]
    paths = [plugin / "hooks" / "hooks.json"]
    paths += [plugin / each for each in entries if isinstance(each, str)]
    if any(isinstance(each, dict) for each in entries):
        paths.append(manifest)
    return [path for path in dict.fromkeys(Path(os.path.normpath(path)) for path in paths) if path.is_file()]


def _hook_table(value: Any, path: Path) -> Any:
    if not isinstance(value, dict):
        return {}
    if path.name == "plugin.json":
        declared = value.get("hooks")
        tables = declared if isinstance(declared, list) else [declared]
        inside = [each for each in tables if isinstance(each, dict)]
        return {event: groups for each in inside for event, groups in (each.get("hooks") or each).items()}
    return value.get("hooks")


def handlers(table: Any) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for event, groups in table.items() if isinstance(table, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            inside = group.get("hooks") if isinstance(group, dict) else None
            for handler in inside if isinstance(inside, list) else ():
                if isinstance(handler, dict):
                    yield event, group, handler


def _stubbed_hooks(path: Path, copy: Path) -> list[SourceHook]:
    value, at = _json(path), path.relative_to(copy).as_posix()
    found: list[SourceHook] = []
    for event, group, handler in handlers(_hook_table(value, path)):
        hook = SourceHook(f"{at}-{len(found)}", event, group.get("matcher", ""), handler, at)
        script = _called_script(handler, copy)
        if script:
            hook = replace(hook, name=script)
        elif "command" in handler:
            _call_stub(handler, hook.name)
        found.append(hook)
    path.write_text(json.dumps(value), "utf-8")
    return found


def _called_script(handler: dict[str, Any], copy: Path) -> str:
    """The script of the plugin that is all the hook calls; empty where it does more, or where it cannot work at all."""
    found = _PLAIN.fullmatch(str(handler.get("command")))
    if not found or "args" in handler or handler.get("shell") == "powershell":
        return ""
    script = next(found[each] for each in "abcde" if found[each])[1:]
    path, kind = copy / script, RUNNER.get(Path(script).suffix.lower(), "")
    fits = {"bash": "shell", "sh": "shell", "python3": "python", "node": "node"}
    if not path.is_file() or path.is_symlink():
        return ""
    if found["runner"]:
        return script if fits[found["runner"]] == kind else ""
    return script if kind and os.access(path, os.X_OK) else ""


def _call_stub(handler: dict[str, Any], name: str) -> None:
    if "args" in handler:
        handler["command"], handler["args"] = "sh", ["${CLAUDE_PLUGIN_ROOT}/judge.sh", name]
    else:
        handler["command"] = f'sh "${{CLAUDE_PLUGIN_ROOT}}/judge.sh" {name}'
    if handler.get("shell") == "powershell":
        del handler["shell"]


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError):
        return None

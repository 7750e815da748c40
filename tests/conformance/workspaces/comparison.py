"""What `pisces list` says beside what the program itself loads: one line for each difference.

An item that the program loads must be active, and an item that pisces calls active must be loaded. What the program
calls off or waiting must be listed as that. A program that refuses to start loads nothing.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.conformance.workspaces.asking import at_once, said
from tests.conformance.workspaces.workspace import Item, Verdict, Workspace

ACTIVE = "active"
# What a program says of an item that it has and does not use, and what we may call that. Claude Code has one word for a
# server that nobody approved and for one whose approval counts in a trusted folder only.
_SAID = {"off": {"off"}, "waiting": {"waiting", "untrusted"}}


class Oracle(Protocol):
    """A program that can be asked. Only its kinds are compared, and of these those that a verdict has."""

    @property
    def kinds(self) -> Sequence[str]: ...

    def verdict(self, workspace: Workspace) -> Verdict: ...


@dataclass(frozen=True)
class Compared:
    workspace: Workspace
    differences: list[str]

    @property
    def agrees(self) -> bool:
        return not self.differences


def compared(harness: str, oracle: Oracle, workspaces: Iterable[Workspace]) -> list[Compared]:
    def one(workspace: Workspace) -> Compared:
        ours = our_verdict(harness, workspace)  # first: the program writes into its home
        theirs = oracle.verdict(workspace)
        return Compared(workspace, [*differences(theirs, ours, oracle.kinds)])

    return at_once(one, workspaces)


def report(results: Sequence[Compared]) -> str:
    """How many agree whole, and every difference as a line."""
    whole = sum(each.agrees for each in results)
    lines = [f"{whole} of {len(results)} workspaces agree whole ({100 * whole / len(results):.1f}%)"]
    for each in results:
        root, traits = f"{each.workspace.home.parent}/", ", ".join(dict.fromkeys(each.workspace.traits))
        lines += [f"{each.workspace.name}: {line.replace(root, '')} [{traits}]" for line in each.differences]
    return "\n".join(lines)


def our_verdict(harness: str, workspace: Workspace) -> Verdict:
    """The one place that knows the JSON of `pisces list`."""
    argv = [sys.executable, "-m", "pisces", "list", "--all", "--harness", harness, "--output-format", "json"]
    ran = said(argv, workspace)
    if not ran.stdout.startswith("{"):
        raise AssertionError(f"{workspace.name}: pisces list failed: {ran.stderr[-2000:]}")
    verdict: Verdict = {}
    for item in json.loads(ran.stdout)["items"]:
        kind = _KINDS.get(item["kind"], item["kind"])
        is_skill = kind == "commands" and os.path.basename(item["path"]) == "SKILL.md"  # asked about as a skill
        unasked = harness == "claude" and kind == "hooks" and item.get("event") != "SessionStart"  # others do not run
        if item.get("harness", harness) == harness and not is_skill and not unasked:
            path = item["path"]
            if harness == "claude":
                path = _COPY.sub(str(workspace.home.parent / "market") + r"/\1/", path)
            verdict.setdefault(kind, []).append((_name(kind, item), path, item["state"]))
    return verdict


# Claude Code's copy of a plugin: its oracle names the folder that was copied.
_COPY = re.compile(r"^.*/plugins/cache/mk/([^/]+)/[^/]+/")


_KINDS = {"local": "subagents", "remote": "subagents", "rule": "policies", "checker": "policies"}


def _name(kind: str, item: dict[str, Any]) -> str:
    if kind == "hooks":
        return f"{item.get('event', item['name'])} {item.get('command', '')}"
    if kind == "policies":
        return f"{item.get('decision')} {item.get('tool_name') or '*'}"
    if kind == "context-files":
        return os.path.basename(os.path.realpath(str(item["path"])))
    return str(item.get("final_name") or item.get("name") or "")


def differences(theirs: Verdict, ours: Verdict, kinds: Sequence[str]) -> Iterator[str]:
    if "refused" in theirs:
        loaded = [f"{kind} {name}" for kind in kinds for name, _path, state in ours.get(kind, []) if state == ACTIVE]
        if loaded:
            yield f"refuses to start ({theirs['refused'][0][0][:120]}), pisces lists as active: {', '.join(loaded)}"
        return
    theirs = _with_skills(theirs, {item[0] for item in ours.get("skills", [])})
    for kind in kinds:
        if kind in theirs:
            yield from _of_kind(kind, theirs[kind], ours.get(kind, []))


def _with_skills(theirs: Verdict, skills: set[str]) -> Verdict:
    """Claude Code names a skill without a description among its commands only, and says no file."""
    moved = [item for item in theirs.get("commands", []) if item[1] is None and item[0] in skills]
    if not moved:
        return theirs
    kept = [item for item in theirs["commands"] if item not in moved]
    return {**theirs, "commands": kept, "skills": theirs.get("skills", []) + moved}


def _of_kind(kind: str, theirs: list[Item], ours: list[Item]) -> Iterator[str]:
    left = [item for item in ours if item[2] == ACTIVE]
    for name, path, state in theirs:
        alike = _same(name, path)
        if state == ACTIVE:
            match = next(filter(alike, left), None)
            if match:
                left.remove(match)
            else:
                yield f"{kind} {_shown(name, path)}: loaded, pisces says {_states(filter(alike, ours))}"
        elif state in _SAID and not _SAID[state] & {item[2] for item in ours if alike(item)}:
            left = [item for item in left if not alike(item)]  # said once
            yield f"{kind} {_shown(name, path)}: {state}, pisces says {_states(filter(alike, ours))}"
    for name, path, _state in left:
        yield f"{kind} {_shown(name, path)}: not loaded, pisces says active"


def _same(name: str, path: str | None) -> Callable[[Item], bool]:
    real = path and os.path.realpath(path)
    return lambda item: item[0] == name and (not real or not item[1] or os.path.realpath(item[1]) == real)


def _shown(name: str, path: str | None) -> str:
    return f"{name} ({path})" if path else name


def _states(items: Iterable[Item]) -> str:
    return " and ".join(dict.fromkeys(item[2] for item in items)) or "nothing"

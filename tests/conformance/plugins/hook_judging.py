"""Hooks: each fires when Claude Code would have fired it, each guard denies, and what does neither is reported."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pisces.converting.fate import DROPPED, Fate
from tests.conformance.plugins.claude_view import ClaudeView
from tests.conformance.plugins.conversion import conversion
from tests.conformance.plugins.judgement import Judgement
from tests.conformance.plugins.service_judging import servers_of
from tests.conformance.plugins.situations import Situation, is_for_windows, situations
from tests.conformance.plugins.stubs import STYLES, SourceHook, stubbed_copy
from tests.peer_programs import GEMINI

DRIVER = Path(__file__).with_name("hook_firing.mjs")
SECONDS = 900
EACH = 4 if os.environ.get("PISCES_CLAUDE_PLUGINS") else 1  # situations in which the same hooks must run
PATIENCE = 3000  # milliseconds; only hooks that run in the background, or not at all, take any of it


@dataclass(frozen=True)
class Shot:
    situation: Situation
    style: str
    answer: dict[str, Any]

    @property
    def label(self) -> str:
        return f"{self.situation.label} ({self.style or 'no verdict'})"


def judge_hooks(plugin: Path, claude: ClaudeView | None, scratch: Path, judgement: Judgement) -> None:
    copy = scratch / "stubbed"
    hooks = stubbed_copy(plugin, copy)
    made = conversion(copy, "gemini", scratch / "stubbed-out")
    if not hooks or made.converted is None:
        return
    rejected = claude is not None and (claude.hooks_rejected or claude.is_rejected)
    live = [] if rejected else [each for each in hooks if "command" in each.handler and isinstance(each.matcher, str)]
    cases = situations(live, made.converted.plugin.name, servers_of(plugin))
    shots = fired(made.out, cases, copy, scratch)
    silent = {name for shot in shots for name in shot.situation.required - set(shot.answer["logged"])}
    wanted = {name for case in cases for name in case.required}
    _judge_firing([each for each in hooks if each.name in wanted], silent, judgement)
    others = [each for each in hooks if each.name not in wanted and not is_for_windows(each)]
    _judge_reports(others, made.converted.fates, judgement)
    _judge_guards(live, shots, judgement)
    for shot in shots:
        _judge_shot(shot, judgement)


def _judge_firing(hooks: list[SourceHook], silent: set[str], judgement: Judgement) -> None:
    for hook in hooks:
        fault = f"{hook.event} `{hook.matcher}` of {hook.path} does not always fire: {hook.handler}"
        judgement.count("hooks firing", "hooks convertible", good=hook.name not in silent, fault=fault)


def _judge_reports(hooks: list[SourceHook], fates: Iterable[Fate], judgement: Judgement) -> None:
    """A hook for which there is no situation in Gemini CLI needs a fate of its own that says why."""
    reasons = Counter(each.subject for each in fates if each.subject.startswith("hook ") and each.kind == DROPPED)
    for hook in hooks:
        subject = f"hook `{hook.event}`"
        good = reasons[subject] > 0
        reasons[subject] -= good
        fault = f"{hook.event} `{hook.matcher}` of {hook.path} neither fires nor is reported: {hook.handler}"
        judgement.count("hooks reported", "hooks other", good=good, fault=fault)


def _judge_shot(shot: Shot, judgement: Judgement) -> None:
    here, logged = shot.situation, set(shot.answer["logged"])
    judgement.never(
        "revived hooks", (f"{each} at {shot.label}" for each in sorted(logged - here.required - here.allowed))
    )
    if not here.required and not (logged & here.allowed) and shot.answer["blocked"]:
        judgement.never("revived hooks", [f"blocked without a hook: {shot.label}: {shot.answer['denied']}"])


def _judge_guards(hooks: list[SourceHook], shots: list[Shot], judgement: Judgement) -> None:
    """A live guard denies wherever it must, in every way in which a hook of Claude Code can deny."""
    for hook in hooks:
        can_deny = hook.event == "PreToolUse" and not hook.handler.get("async")
        mine = [shot for shot in shots if can_deny and shot.style and hook.name in shot.situation.guards]
        open_to = [shot for shot in mine if not _denies(hook, shot)]
        if mine:
            fault = f"{hook.name} `{hook.matcher}`: " + "; ".join(f"{each.label} {each.answer}" for each in open_to[:2])
            judgement.count("guards denying", "guards", good=not open_to, fault=fault)


def _denies(hook: SourceHook, shot: Shot) -> bool:
    return shot.answer["blocked"] and any(f"stub {hook.name}" in each for each in shot.answer["denied"])


def fired(extension: Path, cases: list[Situation], stubs: Path, scratch: Path) -> list[Shot]:
    """Situations without a verdict of the hooks, then each set of guards once for each way to deny."""
    wanted = [(case, "") for case in _few(cases, EACH)]
    wanted += [(case, style) for style in STYLES for case in _few([each for each in cases if each.guards], 1)]
    questions = [_question(case, style, stubs, scratch / f"shot-{at}") for at, (case, style) in enumerate(wanted)]
    if not questions:
        return []
    file = scratch / "cases.json"
    file.write_text(json.dumps(questions), "utf-8")
    argv: list[str | Path] = ["node", DRIVER, GEMINI, extension, file]
    env = {"PATH": os.environ["PATH"], "HOME": str(scratch), "LANG": "C.UTF-8", "TMPDIR": str(scratch)}
    ran = subprocess.run(argv, env=env, cwd=scratch, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ran.returncode == 0, ran.stderr
    answers = map(json.loads, ran.stdout.splitlines())
    return [Shot(case, style, answer) for (case, style), answer in zip(wanted, answers, strict=True)]


def _few(cases: list[Situation], most: int) -> list[Situation]:
    """No more than so many in which the same hooks of the same event must run."""
    counts: Counter[tuple[str, frozenset[str]]] = Counter()
    found = []
    for case in cases:
        key = (case.label.partition(" ")[0], case.required)
        counts[key] += 1
        if counts[key] <= most:
            found.append(case)
    return found


def _question(case: Situation, style: str, stubs: Path, log: Path) -> dict[str, Any]:
    env = {"JUDGE_STYLE": style, "JUDGE_STUBS": str(stubs)}
    expected = sorted(case.required)
    known = {"event": case.event, "context": case.context, "input": case.input}
    return {**known, "env": env, "log": str(log), "expected": expected, "patience": PATIENCE}

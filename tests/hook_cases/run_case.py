"""One recorded case through Host: what became of each call, and how that compares."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from pisces import Host, Places
from pisces.gates.hooks.firing import HookRun
from tests.hook_cases.claude import Claude
from tests.hook_cases.codex import Codex
from tests.hook_cases.compare import compared_calls, compared_word, is_told_the_same, told_by
from tests.hook_cases.gemini import Gemini
from tests.hook_cases.rule_case import execpolicy_decision, policy_decision
from tests.hook_cases.session import Asked, Program, Session
from tests.hook_cases.workspace import Folders, child_environment, folders

PROGRAMS: dict[str, Callable[[Mapping[str, Any], Folders], Program]] = {
    "claude": Claude,
    "codex": Codex,
    "gemini": Gemini,
}
_RULES = {"gemini-policy": policy_decision, "codex-execpolicy": execpolicy_decision}
SECONDS = 120.0


def run_case(row: Mapping[str, Any]) -> dict[str, Any]:
    """A line for one row of a file of cases. Raises nothing: what goes wrong is `error`, and counts as looser."""
    try:
        if row["dialect"] in _RULES:
            verdict, rule = _RULES[row["dialect"]](row)
            recorded = "load error" if row.get("error") else row["verdict"] or "no match"
            compared = compared_word(recorded, verdict, rule)
            return {"id": row["id"], "dialect": row["dialect"], "verdict": verdict, "compared": compared}
        return asyncio.run(asyncio.wait_for(_session(row), SECONDS))
    except Exception as error:  # noqa: BLE001  # a case that cannot be run is one line, not the end of all others
        what = f"{type(error).__name__}: {error}"
        return {"id": row["id"], "dialect": row["dialect"], "error": what, "compared": "looser"}


async def _session(row: Mapping[str, Any]) -> dict[str, Any]:
    with folders(row["config"]) as made:
        config = made.filled(row["config"])
        program = PROGRAMS[row["dialect"]](config, made)
        program.write()
        asked = Asked(
            config.get("answer", "deny"), can_ask=program.can_ask, for_hooks=getattr(program, "asks_for_hooks", False)
        )
        places = Places(str(made.home), str(made.work), child_environment(made, config.get("env") or {}))
        given = row.get("turns") or ([row["call"]] if isinstance(row.get("call"), list) else [[row["call"]]])
        turns = [program.calls_of(made.filled(turn)) for turn in given]
        runs: list[HookRun] = []
        async with Host.open(places, asked, is_audited=False, watch_hook=runs.append, **program.options()) as host:
            session = Session(host, program, asked, turns)
            session.runs = runs
            await session.play(config.get("prompts") or [config.get("prompt", "go")])
        played = [
            each._replace(told=made.emptied(each.told), ran_with=made.emptied(each.ran_with)) for each in session.played
        ]
        recorded = row.get("calls") or []
        return {
            "id": row["id"],
            "dialect": row["dialect"],
            "verdict": _one_or_all([each.verdict for each in played]),
            "ran_with": _one_or_all([each.ran_with for each in played]),
            "told": _one_or_all([each.told for each in played]),
            "context": made.emptied(session.context),
            "model_requests": session.requests,
            "who": _one_or_all(made.emptied([each.who for each in played])),
            "is_told_the_same": is_told_the_same(recorded, played),
            "told_by": told_by(recorded, played),
            "compared": compared_calls(recorded, played, session.ended_by),
        }


def _one_or_all(values: list[Any]) -> Any:
    """Most cases have one call: its value then, else a list with one for each call."""
    return values[0] if len(values) == 1 else values

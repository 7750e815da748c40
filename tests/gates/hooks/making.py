"""Hooks, facts and recorded payloads for tests of dialects."""

from __future__ import annotations

import json
from typing import Any

from pisces.discovery.found import Source
from pisces.gates.hooks.dialect import LoadedHook
from pisces.shapes.hook import Hook
from pisces.shapes.session_facts import SessionFacts
from tests.conformance.corpus import corpus_folder

FACTS = SessionFacts("/work", "/work", "/home", id="<UUID>", turn_id="<UUID>", transcript="<transcript>", model="m")


def loaded(dialect: str, event: str, matcher: Any = None, *, folder: str = "", **fields: Any) -> LoadedHook:
    fields = {"type": "command", "command": "true", **fields}
    group = {"hooks": [fields], **({} if matcher is None else {"matcher": matcher})}
    hook = Hook(
        event,
        matcher,
        fields["command"],
        "/home/hooks.json",
        dialect,
        fields,
        group,
        ("hooks", event, 0, "hooks", 0),
        type=fields["type"],
        timeout=fields.get("timeout"),
        name=fields.get("name", ""),
        sequential=fields.pop("sequential", None),
    )
    source = Source(dialect, dialect, "/home/hooks.json", "user")
    return LoadedHook(hook, source, "pack" if folder else "", folder)


def recorded_payloads(dialect: str) -> list[dict[str, Any]]:
    path = corpus_folder() / "hook-payloads.jsonl"
    if not path.exists():
        return []
    rows = map(json.loads, path.read_text().splitlines())
    return [row for row in rows if row["dialect"] == dialect]

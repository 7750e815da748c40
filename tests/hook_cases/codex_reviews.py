"""What Codex stores when its user has reviewed hooks, for the hooks that are found in these places."""

from __future__ import annotations

import json

from pisces.discovery.capabilities import HOOKS
from pisces.discovery.registry import discover
from pisces.harnesses.codex.hook_hash import hook_hashes
from pisces.places import Places


def reviews(places: Places) -> str:
    """Tables for the end of `config.toml`."""
    tables: dict[str, str] = {}
    for candidate in discover(HOOKS, places).all:
        hook = candidate.found.item
        if hook.dialect == "codex":
            event = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in hook.event)[1:]
            key = f"{hook.path}:{event}:{hook.group_index}:{hook.index}"
            *_, stored = hook_hashes(hook, event)
            tables[key] = f"[hooks.state.{json.dumps(key)}]\ntrusted_hash = {json.dumps(stored)}\n"
    return "\n".join(tables.values())

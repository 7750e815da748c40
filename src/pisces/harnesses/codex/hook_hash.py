"""The hash under which Codex stores that a hook was reviewed (0.166.0)."""

from __future__ import annotations

import json
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.hook import Hook

_SECONDS = 600


def hook_hashes(hook: Hook, event: str) -> Iterator[str]:
    """What Codex would store for it. Events that know no matcher leave it out."""
    seconds = hook.timeout if isinstance(hook.timeout, int) and not isinstance(hook.timeout, bool) else _SECONDS
    handler: dict[str, Any] = {
        **{key: hook.fields[key] for key in ("statusMessage", "additionalContextLimit") if hook.fields.get(key)},
        "type": hook.type,
        "command": hook.command,
        "timeout": max(1, seconds),
        "async": hook.is_async is True,
    }
    for matcher in ({}, {"matcher": hook.matcher}):
        identity = {"event_name": event, "hooks": [handler], **matcher}
        text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        yield f"sha256:{sha256(text.encode('utf-8', 'replace')).hexdigest()}"

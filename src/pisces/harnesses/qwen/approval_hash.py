"""What Qwen Code remembers of a server that somebody approved: a hash of everything that decides what it does."""

from __future__ import annotations

import hashlib
import json

from pisces.formats.variables import expanded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_COSMETIC = ("scope", "extensionName", "description")


def approval_hash(config: object, env: Mapping[str, str]) -> str:
    filled = expanded(config, env)
    shown = {key: value for key, value in filled.items() if key not in _COSMETIC} if isinstance(filled, dict) else {}
    text = json.dumps(shown, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()

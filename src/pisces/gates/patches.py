"""The files that a patch touches, as `apply_patch` of Codex and its like name them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_FILE = re.compile(r"^[ \t]*\*\*\* (?:(?:Add|Update|Delete) File|Move to):[ \t]*([^\r\n]*)", re.MULTILINE)


def patched_paths(arguments: Mapping[str, Any]) -> list[str]:
    """Whatever the argument with the patch is called."""
    texts = (part for value in arguments.values() for part in (value if isinstance(value, list) else [value]))
    found = (path.strip() for text in texts if isinstance(text, str) for path in _FILE.findall(text))
    return list(dict.fromkeys(filter(None, found)))

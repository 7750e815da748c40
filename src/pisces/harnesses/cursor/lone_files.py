"""Files without a package that are Cursor's: a hooks file with a `version`, which no other harness writes."""

from __future__ import annotations

from pisces.checking.lone_file import BY_CONTENT, LoneFile, Reading
from pisces.discovery.options import FlatHooks


def reading(file: LoneFile) -> Reading | None:
    if file.hooks is None or not isinstance(file.json, dict) or "version" not in file.json:
        return None
    return Reading("hooks", FlatHooks(), file.path, weight=BY_CONTENT)

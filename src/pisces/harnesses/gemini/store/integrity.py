"""Gemini CLI signs its notes of installations and updates only those that still have the words that it signed.

We cannot sign. So a note that it signed stays as it is when we update, as long as it still says where to look; our own
record knows the release that is really there.
"""

from __future__ import annotations

import hashlib
import json
import os

from pisces.formats.json import JsonObject
from pisces.formats.json_file import object_at
from pisces.harnesses.gemini.store.layout import GeminiStore

FILE = "extension_integrity.json"
_WISHES = ("autoUpdate", "allowPreRelease")  # what the user asked Gemini CLI for


def note_after_update(store: GeminiStore, name: str, old: JsonObject, new: JsonObject) -> JsonObject:
    """The note to write: the old one if Gemini CLI signed it and it names the same source."""
    if any(old.get(key) != new.get(key) for key in ("source", "type", "ref")):
        return new
    if signed_hash(store, name) == _hash(old):
        return old
    return {**new, **{key: old[key] for key in _WISHES if key in old}}


def is_disowned(store: GeminiStore, name: str, metadata: JsonObject) -> bool:
    """Whether Gemini CLI has a signature of another installation of that name; it keeps them after an uninstall."""
    return signed_hash(store, name) not in ("", _hash(metadata))


def signed_hash(store: GeminiStore, name: str) -> str:
    records = object_at(os.path.join(store.folder, FILE)).get("store")
    record = records.get(name) if isinstance(records, dict) else None
    return str(record.get("hash") or "") if isinstance(record, dict) else ""


def _hash(metadata: JsonObject) -> str:
    text = json.dumps(metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

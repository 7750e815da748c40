"""What we know of an extension beyond Gemini CLI's note: what was agreed to, at which commit, and what was before it.

One file for each extension, outside of it. It is valid only while the extension is unchanged.
"""

from __future__ import annotations

import json
import os

from pisces.atomic import write_atomically
from pisces.formats.json import JsonObject
from pisces.formats.json_file import object_at
from pisces.harnesses.gemini.store.layout import GeminiStore
from pisces.value import Value


class StoreRecord(Value):
    """`agreed` is the hash that the user consented to, `content` the hash of the files in the store."""

    version: str
    agreed: str
    content: str
    source: JsonObject
    metadata: JsonObject
    commit: str = ""
    tag: str = ""
    previous: JsonObject | None = None
    hash_version: int = 1

    def as_json(self) -> JsonObject:
        return dict(zip(self.__fields__, self.as_tuple(), strict=True))


def record_from_json(value: object) -> StoreRecord | None:
    if not isinstance(value, dict):
        return None
    texts = all(isinstance(value.get(key, ""), str) for key in ("version", "agreed", "content", "commit", "tag"))
    maps = all(isinstance(value.get(key), dict) for key in ("source", "metadata"))
    known = {key: value[key] for key in StoreRecord.__fields__ if key in value}
    complete = {"version", "agreed", "content"} <= known.keys() and isinstance(known.get("hash_version", 1), int)
    return StoreRecord(**known) if texts and maps and complete else None


def read_record(store: GeminiStore, name: str) -> StoreRecord | None:
    """None if there is no valid record: then only Gemini CLI's note is known."""
    return record_from_json(object_at(store.record_path(name)))


def write_record(store: GeminiStore, name: str, record: JsonObject | None) -> None:
    path = store.record_path(name)
    if record is None:
        if os.path.lexists(path):
            os.unlink(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_atomically(path, json.dumps(record, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")

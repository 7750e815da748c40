"""Adds pairs to a mapping as js-yaml does: keys become text, a repeated key is an error, `<<` merges."""

from __future__ import annotations

from pisces.formats.yaml.reader import ABSENT, MOST_MERGED, YamlReader
from pisces.formats.yaml.scalars import Timestamp, key_text


class Key:
    """A key: its value, whether it is a plain `<<`, and its offset."""

    __slots__ = ("is_merge", "offset", "value")

    def __init__(self, value: object, is_merge: bool, offset: int) -> None:
        self.value = value
        self.is_merge = is_merge
        self.offset = offset


class EntryReader:
    """Collects the entries of one mapping."""

    __slots__ = ("mapping", "merged", "reader")

    def __init__(self, reader: YamlReader) -> None:
        self.reader = reader
        self.mapping: dict[str, object] = {}
        self.merged: set[str] = set()  # keys that came by `<<`, which a later entry may replace once

    def put(self, key: Key, value: object) -> None:
        if value is ABSENT:
            value = None
        if key.is_merge:
            self._merge(key, value)
            return
        try:
            name = key_text(key.value)
        except ValueError as problem:
            raise self.reader.malformed(str(problem), key.offset) from None
        if name in self.mapping and name not in self.merged:
            raise self.reader.malformed(f"the key `{name[:80]}` is given twice", key.offset)
        self.merged.discard(name)
        self.mapping[name] = value
        self.reader.note(self.mapping, name, key.offset)

    def _merge(self, key: Key, value: object) -> None:
        for source in value if isinstance(value, list) else [value]:
            if isinstance(source, list):
                source = {str(index): item for index, item in enumerate(source)}
            if isinstance(source, Timestamp):
                continue
            if not isinstance(source, dict):
                raise self.reader.malformed("`<<` merges mappings only", key.offset)
            self._copy(source, key.offset)

    def _copy(self, source: dict[str, object], offset: int) -> None:
        self.reader.merged += len(source)
        if self.reader.merged > MOST_MERGED:
            raise self.reader.malformed("too many keys merged with `<<`", offset)
        known = (self.reader.offsets or {}).get(id(source), {})
        for name, value in list(source.items()):
            if name not in self.mapping:
                self.mapping[name] = value
                self.merged.add(name)
                self.reader.note(self.mapping, name, known.get(name, offset))

"""What is in Gemini CLI's store, whichever program installed it. Read-only."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.linked import linked_folder
from pisces.formats.json import JsonObject
from pisces.harnesses.gemini import INSTALL_FILE
from pisces.harnesses.gemini.manifest import FILE, load_manifest
from pisces.harnesses.gemini.store.layout import GeminiStore, gemini_store
from pisces.harnesses.gemini.store.metadata import LINK, commit_in, read_metadata, source_in
from pisces.harnesses.gemini.store.record import StoreRecord, read_record, record_from_json
from pisces.harnesses.gemini.unfinished import extension_folders
from pisces.places import Places
from pisces.shapes.installed import Installed
from pisces.value import Value


class StoredExtension(Value):
    """An extension in the store: `folder` is its name there. `record` is ours, None if it is about another one."""

    package: Installed
    folder: str
    metadata: JsonObject
    record: StoreRecord | None
    loads: bool

    @property
    def name(self) -> str:
        return self.package.name


def stored_extensions(places: Places) -> dict[str, StoredExtension]:
    """By name. An extension that Gemini CLI skips has its folder's name, so that it can be removed."""
    store = gemini_store(places)
    found = [_stored(path, store, places) for path in extension_folders(store.extensions)]
    broken = {each.folder: each for each in found if not each.loads}
    return {**broken, **{each.name: each for each in found if each.loads}}


def read_index(places: Places) -> dict[str, Installed]:
    return {name: each.package for name, each in stored_extensions(places).items()}


def has_manifest(path: str) -> bool:
    return os.path.lexists(os.path.join(path, FILE))


def _stored(path: str, store: GeminiStore, places: Places) -> StoredExtension:
    metadata, real = read_metadata(path), linked_folder(path, INSTALL_FILE, places.cwd)
    manifest = load_manifest(real, places.cwd)
    loads = not isinstance(manifest, Diagnostic)
    values = {} if isinstance(manifest, Diagnostic) else manifest.values
    folder = os.path.basename(path)
    name = str(values.get("name", folder))
    record = read_record(store, name)
    if record and not _speaks_of(record, metadata, path):
        record = None
    package = _package(name, str(values.get("version", "")), path, metadata, record).replace(folder=real)
    if record is None and not package.linked:
        package = package.replace(source=source_in(metadata, places))
    return StoredExtension(package, folder, metadata, record, loads)


def _speaks_of(record: StoreRecord, metadata: JsonObject, path: str) -> bool:
    """Gemini CLI may have installed or updated something else there since."""
    return record.metadata == metadata and commit_in(path) in ("", record.commit)


def _package(name: str, version: str, path: str, metadata: JsonObject, record: StoreRecord | None) -> Installed:
    linked = metadata.get("type") == LINK
    commit, tag = (record.commit, record.tag) if record else (commit_in(path), str(metadata.get("releaseTag") or ""))
    before = record_from_json(record.previous) if record else None
    return Installed(
        name=name,
        version=version,
        format="gemini",
        folder=path,
        tree=record.content if record else "",
        source=record.source if record else {"kind": LINK, "location": str(metadata.get("source", ""))},
        commit=commit,
        tag=tag,
        linked=linked,
        previous=before.as_json() if before else None,
        hash_version=record.hash_version if record else 1,
    )

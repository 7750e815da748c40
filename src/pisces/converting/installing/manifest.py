"""`install-manifest.json`: all that an installation wrote, so that every byte of it can be taken back.

It lies where others can write: what does not fit is as good as none, and no path in it leads out.
"""

from __future__ import annotations

import json
import os

from pisces.converting.file_changes import is_inner
from pisces.formats.fit import ANYTHING, FLAG, TEXT, WHOLE, Either, Listed, Mapped, Plain, Record, misfits
from pisces.formats.json_file import object_at
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VERSION = 1


class InstalledFile(Value):
    """`adopted`: it was there before with the same bytes, so it stays when the rest goes."""

    digest: str
    is_executable: bool = False
    adopted: bool = False


class SettingsRecord(Value):
    """What was done to the settings: with digests of the file before and after, and the one place that differs.

    `before` is empty where there was no file. `pointers` has for each JSON pointer that was set its value, and under
    `previous` a list with the value that was there before, or an empty one.
    """

    before: str
    after: str
    at: int
    old: str
    new: str
    pointers: Mapping[str, Mapping[str, Any]] = EMPTY
    made: tuple[str, ...] = ()


class InstallManifest(Value):
    """`folders` are those that were made, "" the harness's own. `moved` leads from files of an earlier installation to
    where they were put. All paths are relative to the harness's folder.
    """

    plugin: str
    plugin_version: str
    target: str
    source: Mapping[str, str]
    files: Mapping[str, InstalledFile] = EMPTY
    folders: tuple[str, ...] = ()
    moved: Mapping[str, str] = EMPTY
    settings: SettingsRecord | None = None

    def text(self) -> bytes:
        values = {
            "version": VERSION,
            "plugin": self.plugin,
            "pluginVersion": self.plugin_version,
            "target": self.target,
            "source": self.source,
            "files": {path: _file_json(each) for path, each in sorted(self.files.items())},
            "folders": list(self.folders),
            "moved": dict(sorted(self.moved.items())),
            "settings": _settings_json(self.settings) if self.settings else None,
        }
        return json.dumps(values, indent=2, ensure_ascii=False).encode() + b"\n"


def manifest_at(path: str) -> InstallManifest | None:
    """None where there is none, or where somebody else wrote it."""
    value = object_at(path) if not os.path.islink(path) else {}
    if next(misfits(value, _SHAPE), None):
        return None
    files = {name: _file(each) for name, each in value["files"].items()}
    inner = (*files, *value["moved"], *value["moved"].values(), *filter(None, value["folders"]))
    if not all(map(is_inner, inner)):
        return None
    settings = _settings(value["settings"]) if value["settings"] else None
    return InstallManifest(
        value["plugin"],
        value["pluginVersion"],
        value["target"],
        value["source"],
        files,
        tuple(value["folders"]),
        value["moved"],
        settings,
    )


def _file_json(file: InstalledFile) -> dict[str, Any]:
    flags = {"executable": file.is_executable, "adopted": file.adopted}
    return {"sha256": file.digest, **{key: True for key, value in flags.items() if value}}


def _file(value: Mapping[str, Any]) -> InstalledFile:
    return InstalledFile(value["sha256"], value.get("executable", False), value.get("adopted", False))


def _settings_json(settings: SettingsRecord) -> dict[str, Any]:
    return {
        "before": settings.before,
        "after": settings.after,
        "change": {"at": settings.at, "old": settings.old, "new": settings.new},
        "pointers": {key: dict(value) for key, value in settings.pointers.items()},
        "made": list(settings.made),
    }


def _settings(value: Mapping[str, Any]) -> SettingsRecord:
    change = value["change"]
    return SettingsRecord(
        value["before"],
        value["after"],
        change["at"],
        change["old"],
        change["new"],
        value["pointers"],
        tuple(value["made"]),
    )


_POINTER = Record({"value": ANYTHING, "previous": Listed(ANYTHING)})
_SETTINGS = Record(
    {
        "before": TEXT,
        "after": TEXT,
        "change": Record({"at": WHOLE, "old": TEXT, "new": TEXT}),
        "pointers": Mapped(_POINTER),
        "made": Listed(TEXT),
    }
)
_SHAPE = Record(
    {
        "version": WHOLE.that(lambda value: "" if value == VERSION else f"must be {VERSION}"),
        "plugin": TEXT,
        "pluginVersion": TEXT,
        "target": TEXT,
        "source": Mapped(TEXT),
        "files": Mapped(Record({"sha256": TEXT}, {"executable": FLAG, "adopted": FLAG})),
        "folders": Listed(TEXT),
        "moved": Mapped(TEXT),
        "settings": Either((_SETTINGS, Plain("null", lambda value: value is None))),
    }
)

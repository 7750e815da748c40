"""`gemini-extension.json` as Gemini CLI loads it: strict JSON, a name and a version, path variables filled in.

There is no schema: odd types are accepted here and break later, which `installing` foretells.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.harness import Run
from pisces.discovery.read_once import json_once
from pisces.files import Unreadable
from pisces.formats.fit import noun_of
from pisces.formats.js_truth import is_truthy
from pisces.formats.json import JsonObject
from pisces.formats.malformed import Malformed
from pisces.formats.variables import hydrated, path_context
from pisces.harnesses.gemini import MANIFEST
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.formats.fit import Path

FILE = MANIFEST

MANIFEST_MISSING = Rule("manifest-missing", ERROR, "There is no manifest to read")
MANIFEST_INVALID = Rule("manifest-invalid", ERROR, "A Gemini manifest cannot be used")

_SMALL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


class Manifest(Value):
    """`values` has its path variables filled in; `raw` is as written, `text` is for finding lines."""

    path: str
    values: JsonObject
    raw: JsonObject
    text: str

    def place(self, path: Path) -> tuple[int, int]:
        return _place(self.text, path)


def load_manifest(folder: str, workspace: str, run: Run | None = None) -> Manifest | Diagnostic:
    """The manifest of a package folder, or the reason why Gemini CLI skips the package."""
    path = os.path.join(folder, FILE)
    about = os.path.basename(folder)
    try:
        text, raw = json_once(path, run or Run())
    except Unreadable as error:
        return MANIFEST_MISSING.at(path, f"`{FILE}` {error.message}", about=about)
    except Malformed as error:
        return MANIFEST_INVALID.at(path, error.message, place=(error.line, error.column), about=about)
    fields = raw if isinstance(raw, dict) else {}
    for field in ("name", "version"):
        if not is_truthy(fields.get(field)):
            message = _missing(raw, field)
            return MANIFEST_INVALID.at(path, message, place=_place(text, (field,)), about=about)
    values = hydrated(fields, path_context(folder, workspace))
    if not _is_name(_as_text(values["name"])):
        message = f"the name `{values['name']}` may only have letters (a-z, A-Z), digits and dashes"
        return MANIFEST_INVALID.at(path, message, place=_place(text, ("name",)), hint=_slug(values), about=about)
    return Manifest(path, values, fields, text)


def _place(text: str, path: Path) -> tuple[int, int]:
    found: tuple[int, int] = export_of("pisces.formats", "position", "json_place")(text, path)
    return found


def _is_name(name: str) -> bool:
    return bool(name) and _SMALL.issuperset(name.replace("-", "").lower()) and name.isascii()


def _missing(raw: object, field: str) -> str:
    if not isinstance(raw, dict):
        return f"the manifest must be an object, not {noun_of(raw)}"
    return f"missing `{field}`" if field not in raw else f"`{field}` is empty"


def _as_text(name: object) -> str:
    """As JavaScript converts a value to text before it tests it."""
    if isinstance(name, list):
        return ",".join(_as_text(item) for item in name)
    if isinstance(name, bool):
        return str(name).lower()
    return str(name) if isinstance(name, str | int) else "[object Object]"


def _slug(values: JsonObject) -> str:
    slug = "-".join("".join(char if char in _SMALL else " " for char in str(values["name"]).lower()).split())
    return f'write `"name": "{slug}"`' if slug else ""
